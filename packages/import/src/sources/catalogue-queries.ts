/** The role's own rights. They decide which tools an import may offer. */
export const ROLE = `
  SELECT current_database() AS database, current_user AS role,
    (SELECT bool_or(rolsuper OR pg_has_role(current_user, 'pg_execute_server_program', 'MEMBER')
        OR pg_has_role(current_user, 'pg_read_server_files', 'MEMBER')
        OR pg_has_role(current_user, 'pg_write_server_files', 'MEMBER'))
      FROM pg_roles WHERE rolname = current_user) AS "isPrivileged",
    to_json(current_schemas(false)) AS "searched",
    (SELECT json_agg(nspname ORDER BY nspname) FROM pg_namespace
      WHERE nspname !~ '^pg_' AND nspname <> 'information_schema' AND has_schema_privilege(oid, 'USAGE')) AS "usable"`;

/** The wanted relations: without objects of extensions and partitions, which are read through their table. */
const WANTED = `
  c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition AND n.nspname = ANY ($1::text[])
  AND NOT EXISTS (SELECT FROM pg_depend d
    WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')`;

export const RELATIONS: string = `
  SELECT c.oid::text AS id, n.nspname AS schema, c.relname AS name,
    quote_ident(n.nspname) || '.' || quote_ident(c.relname) AS sql,
    CASE WHEN c.relkind IN ('v', 'm') THEN 'view' ELSE 'table' END AS kind,
    obj_description(c.oid, 'pg_class') AS comment,
    has_any_column_privilege(c.oid, 'SELECT') AS "isReadable",
    has_table_privilege(c.oid, 'DELETE') AS "canDelete",
    c.relhasrules OR EXISTS (SELECT FROM pg_trigger t WHERE t.tgrelid = c.oid AND NOT t.tgisinternal) AS "hasTriggers"
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE ${WANTED}
  ORDER BY n.nspname COLLATE "C", c.relname COLLATE "C"`;

export const COLUMNS: string = `
  SELECT c.oid::text AS relation, a.attnum AS number, a.attname AS name, quote_ident(a.attname) AS sql,
    col_description(c.oid, a.attnum) AS comment, a.atttypid::text AS type, a.atttypmod AS modifier,
    NOT a.attnotnull AS "isNullable",
    CASE WHEN a.attgenerated <> '' OR a.attidentity = 'a' THEN 'always' WHEN a.attidentity = 'd' THEN 'default' END
      AS generated,
    CASE WHEN a.attgenerated = '' THEN pg_get_expr(d.adbin, d.adrelid) END AS default,
    has_column_privilege(c.oid, a.attnum, 'SELECT') AS "canRead",
    has_column_privilege(c.oid, a.attnum, 'INSERT') AS "canInsert",
    has_column_privilege(c.oid, a.attnum, 'UPDATE') AS "canUpdate"
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
  WHERE ${WANTED}
  ORDER BY c.oid, a.attnum`;

/** The query for every type: few are the user's own, and domains and arrays lead to others. */
export const TYPES = `
  SELECT t.oid::text AS id, t.typname AS name, n.nspname = 'pg_catalog' AS "isBuiltIn",
    CASE WHEN n.nspname = 'pg_catalog' THEN format_type(t.oid, -1)
      ELSE quote_ident(n.nspname) || '.' || quote_ident(t.typname) END AS sql,
    CASE t.typtype WHEN 'b' THEN 'base' WHEN 'c' THEN 'composite' WHEN 'd' THEN 'domain' WHEN 'e' THEN 'enum'
      WHEN 'p' THEN 'pseudo' WHEN 'r' THEN 'range' ELSE 'multirange' END AS kind,
    nullif(t.typbasetype, 0)::text AS base, t.typtypmod AS "baseModifier", t.typnotnull AS "isNotNull",
    CASE WHEN t.typcategory = 'A' AND t.typelem <> 0 THEN t.typelem::text END AS items,
    (SELECT json_agg(e.enumlabel ORDER BY e.enumsortorder) FROM pg_enum e WHERE e.enumtypid = t.oid) AS labels
  FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace`;

/**
 * Indexes, the primary key first; an index on an expression has a 0 among its columns. None is unique for a table that
 * others inherit from, since its statements reach their rows.
 */
export const INDEXES: string = `
  SELECT i.indrelid::text AS relation,
    i.indisunique AND (i.indisprimary OR i.indpred IS NULL AND i.indimmediate) AND (c.relkind = 'p'
      OR NOT EXISTS (SELECT FROM pg_inherits h WHERE h.inhparent = c.oid)) AS "isUnique",
    to_json(i.indkey::int2[]) AS columns, i.indnkeyatts AS count
  FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE i.indisvalid AND ${WANTED}
  ORDER BY i.indrelid, i.indisprimary DESC, i.indnkeyatts, i.indkey::text`;

export const CONSTRAINTS: string = `
  SELECT k.conrelid::text AS relation, k.contype AS type, k.conkey[1] AS column,
    CASE WHEN k.contype = 'c' THEN pg_get_constraintdef(k.oid) END AS definition,
    (SELECT f.relname || '.' || b.attname FROM pg_class f JOIN pg_attribute b ON b.attrelid = f.oid
      WHERE k.contype = 'f' AND f.oid = k.confrelid AND b.attnum = k.confkey[1]) AS target
  FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE k.contype IN ('c', 'f') AND cardinality(k.conkey) = 1 AND k.convalidated AND ${WANTED}
  ORDER BY k.conrelid, k.conkey[1], k.contype, k.conname COLLATE "C"`;
