"""Options of the commands by subject: declarations only."""
