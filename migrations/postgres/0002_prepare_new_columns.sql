-- The next migration adds columns to pets while instances of version 1.0.0 call this function. In PL/pgSQL, a
-- call that waits for the table would find more columns than it has promised, and fail. A function in SQL
-- becomes part of the query that calls it, which is planned again after the wait.
CREATE OR REPLACE FUNCTION pets_by_id(ids bigint[]) RETURNS SETOF pets
LANGUAGE sql STABLE ROWS 10 AS 'SELECT * FROM pets WHERE id = ANY (ids)';
