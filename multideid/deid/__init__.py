"""The engine that de-identifies files, tables and data frames."""
