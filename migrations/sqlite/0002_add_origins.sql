-- ADD COLUMN reads the whole table if it is STRICT. Without the check of status, which every pet has
-- passed, and without a system call for each page, that takes a fifth of the time.
PRAGMA ignore_check_constraints = ON;
PRAGMA mmap_size = 0x7fff0000;

-- When a pet was added, and with which key: for operators only. Pets of version 1.0.0, and those that an
-- operator adds, have no key. No reference: a removed key has still added them.
ALTER TABLE pets ADD COLUMN added_at INTEGER;
ALTER TABLE pets ADD COLUMN key_id INTEGER;

PRAGMA ignore_check_constraints = OFF;
PRAGMA mmap_size = 0;

-- What a key may do: 'all', or only 'read'.
ALTER TABLE api_keys ADD COLUMN scope TEXT NOT NULL DEFAULT 'all';
