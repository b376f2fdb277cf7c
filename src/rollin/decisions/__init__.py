"""What a decision is: the names a task declares, and the record of a run, decision by decision."""
