"""Private notes and colours that a player keeps on other players."""
