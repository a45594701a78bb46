"""Laws that no step of a simulated world may break."""
