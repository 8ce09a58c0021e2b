"""What a run has learnt, as a page for people: charts, diagrams, tables, and how to make it again."""
