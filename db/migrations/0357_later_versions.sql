-- "Or any later version" was offered for every license, and stored as a plus sign behind it. Only the licenses of the GPL family have
-- such a clause, and ids of their own for it: elsewhere the sign said nothing.
update projects set license_id = left(license_id, -1)
where license_id ~ '^[A-Za-z0-9.-]+[+]$' and license_id !~ '^(A|L)?GPL-|^GFDL-';
