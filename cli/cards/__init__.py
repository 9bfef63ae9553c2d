"""What the commands of the card games share."""
