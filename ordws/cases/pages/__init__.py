"""The reviewers' pages, and the page on which a player answers: an application and a process of their own."""
