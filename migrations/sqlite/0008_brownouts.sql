-- Short, planned outages of a deprecated operation. Every instance reads them once a second. Rows stay
-- after their end, because the audit refers to them. The service knows the operations, hence no reference.
CREATE TABLE brownouts (
  id           INTEGER PRIMARY KEY AUTOINCREMENT,
  operation    TEXT    NOT NULL,
  starts_at    INTEGER NOT NULL,
  ends_at      INTEGER NOT NULL CHECK (ends_at > starts_at),
  created_at   INTEGER NOT NULL,
  cancelled_at INTEGER -- NULL unless an operator cancelled it
) STRICT;
