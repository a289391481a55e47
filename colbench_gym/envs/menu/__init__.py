"""The environments in which an action is a number: learners without language learn which questions are worth asking."""
