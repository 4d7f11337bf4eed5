# Made by npm run docs from tenor_client/_async. Changes here are lost.
"""The client."""
