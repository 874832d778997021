"""The record of an export inside its file: written by exports, read to open the file again."""
