"""The views; none imports another. A view pulls its page from the session and paints it."""
