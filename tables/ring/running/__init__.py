"""Steps of ring tables between and after their hands: boundary, grant, settlement."""
