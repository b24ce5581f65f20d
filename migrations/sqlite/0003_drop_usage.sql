-- The limiter's counts have moved to a separate file (migrations/sqlite-usage). The program copies them
-- there before it runs this.
DROP TABLE usage;
DROP TABLE penalties;
