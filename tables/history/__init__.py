"""Finished hands: replays, released cards, recorded hands, histories of clients."""
