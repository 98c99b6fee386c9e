"""Invented people, places, numbers and dates that replace PHI."""
