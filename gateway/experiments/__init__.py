"""Says from the recorded outcomes which arm of an experiment plays better, and how sure that is."""
