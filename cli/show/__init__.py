"""Text that people read: boards, solutions and reasons; functions of records, which print nothing."""
