// Written by `UPDATE=1 pnpm exec vitest run --config test/vitest.config.ts test/handlers/sql-reads.test.ts` from the
// catalogue of a Postgres server.

export interface PostgresCatalog {
  readonly version: string;
  /** Functions that are immutable or stable in each of their forms. */
  readonly functions: ReadonlySet<string>;
  /** Functions that are volatile in one of their forms. */
  readonly volatileFunctions: ReadonlySet<string>;
  readonly operators: ReadonlySet<string>;
  /** Types whose conversions from and to others are not volatile. */
  readonly types: ReadonlySet<string>;
}

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/u));

// prettier-ignore
export const POSTGRES_CATALOG: PostgresCatalog = {
  version: "18.4",
  functions: words(`
    abbrev abs aclcontains acldefault aclexplode aclinsert aclremove acos acosd acosh age any_value any_value_transfn
    anyarray_send anycompatiblearray_send area array_agg array_append array_dims array_fill array_larger array_length
    array_lower array_ndims array_position array_positions array_prepend array_remove array_replace array_reverse
    array_send array_smaller array_sort array_to_json array_to_string array_to_tsvector array_upper ascii asin asind
    asinh atan atan2 atan2d atand atanh avg bit bit_and bit_count bit_length bit_or bit_send bit_xor bitcmp bittypmodin
    bool bool_and bool_or booland_statefunc boolor_statefunc boolsend bound_box box box_send bpchar bpchar_larger
    bpchar_smaller bpcharcmp bpcharsend bpchartypmodin brin_bloom_summary_send brin_minmax_multi_summary_send broadcast
    btarraycmp btboolcmp btbpchar_pattern_cmp btcharcmp btequalimage btfloat48cmp btfloat4cmp btfloat84cmp btfloat8cmp
    btint24cmp btint28cmp btint2cmp btint42cmp btint48cmp btint4cmp btint82cmp btint84cmp btint8cmp btnamecmp
    btnametextcmp btoidcmp btoidvectorcmp btrecordcmp btrecordimagecmp btrim bttext_pattern_cmp bttextcmp bttextnamecmp
    bttidcmp btvarstrequalimage bytea bytea_larger bytea_smaller byteacmp byteasend cardinality casefold cash_cmp
    cash_send cash_words cashlarger cashsmaller cbrt ceil ceiling center char char_length character_length charsend chr
    cidr cidr_send cidsend circle circle_send col_description concat concat_ws convert convert_from convert_to corr cos
    cosd cosh cot cotd count covar_pop covar_samp crc32 crc32c cume_dist current_database current_schema
    current_schemas current_setting current_user database_to_xml database_to_xml_and_xmlschema database_to_xmlschema
    date date_add date_bin date_cmp date_cmp_timestamp date_cmp_timestamptz date_larger date_part date_send
    date_smaller date_subtract date_trunc datemultirange daterange daterange_canonical daterange_subdiff decode degrees
    dense_rank dexp diagonal diameter div dlog1 dlog10 dround dtrunc encode enum_cmp enum_first enum_larger enum_last
    enum_range enum_send enum_smaller erf erfc every exp extract factorial family first_value float4 float4_accum
    float4larger float4send float4smaller float8 float8_accum float8_avg float8_combine float8_corr float8_covar_pop
    float8_covar_samp float8_regr_accum float8_regr_avgx float8_regr_avgy float8_regr_combine float8_regr_intercept
    float8_regr_r2 float8_regr_slope float8_regr_sxx float8_regr_sxy float8_regr_syy float8_stddev_pop
    float8_stddev_samp float8_var_pop float8_var_samp float8larger float8send float8smaller floor fmgr_c_validator
    fmgr_internal_validator fmgr_sql_validator format format_type gamma gcd generate_series generate_subscripts get_bit
    get_byte get_current_ts_config getdatabaseencoding getpgusername gin_cmp_tslexeme gin_compare_jsonb
    gist_translate_cmptype_common has_any_column_privilege has_column_privilege has_database_privilege
    has_foreign_data_wrapper_privilege has_function_privilege has_language_privilege has_largeobject_privilege
    has_parameter_privilege has_schema_privilege has_sequence_privilege has_server_privilege has_table_privilege
    has_tablespace_privilege has_type_privilege hash_aclitem hash_aclitem_extended hash_array hash_array_extended
    hash_multirange hash_multirange_extended hash_numeric hash_numeric_extended hash_range hash_range_extended
    hash_record hash_record_extended hashbool hashboolextended hashbpchar hashbpcharextended hashbytea
    hashbyteaextended hashchar hashcharextended hashcid hashcidextended hashdate hashdateextended hashenum
    hashenumextended hashfloat4 hashfloat4extended hashfloat8 hashfloat8extended hashinet hashinetextended hashint2
    hashint2extended hashint4 hashint4extended hashint8 hashint8extended hashmacaddr hashmacaddr8 hashmacaddr8extended
    hashmacaddrextended hashname hashnameextended hashoid hashoidextended hashoidvector hashoidvectorextended hashtext
    hashtextextended hashtid hashtidextended hashxid hashxid8 hashxid8extended hashxidextended height host hostmask
    icu_unicode_version in_range inet_client_addr inet_client_port inet_merge inet_same_family inet_send
    inet_server_addr inet_server_port initcap int2 int2_avg_accum int2_avg_accum_inv int2_sum int2int4_sum int2larger
    int2send int2smaller int2vectorsend int4 int4_avg_accum int4_avg_accum_inv int4_avg_combine int4_sum int4inc
    int4larger int4multirange int4range int4range_canonical int4range_subdiff int4send int4smaller int8 int8_avg
    int8_sum int8dec int8dec_any int8inc int8inc_any int8inc_float8_float8 int8larger int8multirange int8range
    int8range_canonical int8range_subdiff int8send int8smaller interval interval_cmp interval_hash
    interval_hash_extended interval_larger interval_send interval_smaller intervaltypmodin is_normalized isclosed
    isempty isfinite ishorizontal isopen isparallel isperp isvertical json_agg json_agg_strict json_array_elements
    json_array_elements_text json_array_length json_build_array json_build_object json_each json_each_text
    json_extract_path json_extract_path_text json_object json_object_agg json_object_agg_strict json_object_agg_unique
    json_object_agg_unique_strict json_object_keys json_populate_record json_populate_recordset json_send
    json_strip_nulls json_to_record json_to_recordset json_to_tsvector json_typeof jsonb_agg jsonb_agg_strict
    jsonb_array_elements jsonb_array_elements_text jsonb_array_length jsonb_build_array jsonb_build_object jsonb_cmp
    jsonb_each jsonb_each_text jsonb_extract_path jsonb_extract_path_text jsonb_hash jsonb_hash_extended jsonb_insert
    jsonb_object jsonb_object_agg jsonb_object_agg_strict jsonb_object_agg_unique jsonb_object_agg_unique_strict
    jsonb_object_keys jsonb_path_exists jsonb_path_exists_tz jsonb_path_match jsonb_path_match_tz jsonb_path_query
    jsonb_path_query_array jsonb_path_query_array_tz jsonb_path_query_first jsonb_path_query_first_tz
    jsonb_path_query_tz jsonb_populate_record jsonb_populate_record_valid jsonb_populate_recordset jsonb_pretty
    jsonb_send jsonb_set jsonb_set_lax jsonb_strip_nulls jsonb_to_record jsonb_to_recordset jsonb_to_tsvector
    jsonb_typeof jsonpath_send justify_days justify_hours justify_interval lag last_value lcm lead left length lgamma
    like like_escape line line_send ln log log10 lower lower_inc lower_inf lpad lseg lseg_send ltrim macaddr macaddr8
    macaddr8_cmp macaddr8_send macaddr8_set7bit macaddr_cmp macaddr_send make_date make_interval make_time
    make_timestamp make_timestamptz makeaclitem masklen max md5 min min_scale mod mode money multirange multirange_cmp
    multirange_intersect_agg_transfn multirange_send mxid_age name nameconcatoid namesend netmask network network_cmp
    network_larger network_smaller normalize notlike now npoints nth_value ntile num_nonnulls num_nulls numeric
    numeric_cmp numeric_div_trunc numeric_exp numeric_inc numeric_larger numeric_ln numeric_log numeric_send
    numeric_smaller numeric_sqrt numerictypmodin nummultirange numnode numrange numrange_subdiff obj_description
    octet_length oid oidlarger oidsend oidsmaller oidvectorsend oidvectortypes overlaps overlay parse_ident path
    path_send pclose percent_rank percentile_cont percentile_disc pg_available_extension_versions
    pg_available_extensions pg_backend_pid pg_basetype pg_char_to_encoding pg_client_encoding pg_collation_for
    pg_collation_is_visible pg_column_compression pg_column_is_updatable pg_column_size pg_column_toast_chunk_id
    pg_conf_load_time pg_config pg_conversion_is_visible pg_current_snapshot pg_current_xact_id
    pg_current_xact_id_if_assigned pg_cursor pg_ddl_command_send pg_dependencies_send pg_describe_object
    pg_encoding_max_length pg_encoding_to_char pg_event_trigger_ddl_commands pg_event_trigger_dropped_objects
    pg_event_trigger_table_rewrite_oid pg_event_trigger_table_rewrite_reason pg_extension_update_paths
    pg_filenode_relation pg_function_is_visible pg_get_acl pg_get_catalog_foreign_keys pg_get_constraintdef pg_get_expr
    pg_get_function_arg_default pg_get_function_arguments pg_get_function_identity_arguments pg_get_function_result
    pg_get_function_sqlbody pg_get_functiondef pg_get_indexdef pg_get_keywords pg_get_object_address
    pg_get_partition_constraintdef pg_get_partkeydef pg_get_publication_tables pg_get_replica_identity_index
    pg_get_replication_slots pg_get_ruledef pg_get_serial_sequence pg_get_statisticsobjdef
    pg_get_statisticsobjdef_columns pg_get_statisticsobjdef_expressions pg_get_triggerdef pg_get_userbyid
    pg_get_viewdef pg_has_role pg_identify_object pg_identify_object_as_address pg_index_column_has_property
    pg_index_has_property pg_indexam_has_property pg_indexam_progress_phasename pg_input_error_info pg_input_is_valid
    pg_is_other_temp_schema pg_listening_channels pg_lsn pg_lsn_cmp pg_lsn_hash pg_lsn_hash_extended pg_lsn_larger
    pg_lsn_send pg_lsn_smaller pg_mcv_list_items pg_mcv_list_send pg_my_temp_schema pg_ndistinct_send pg_node_tree_send
    pg_numa_available pg_opclass_is_visible pg_operator_is_visible pg_opfamily_is_visible pg_options_to_table
    pg_partition_root pg_postmaster_start_time pg_prepared_statement pg_relation_filenode pg_relation_filepath
    pg_relation_is_publishable pg_relation_is_updatable pg_replication_origin_oid pg_sequence_parameters
    pg_settings_get_flags pg_show_all_settings pg_size_bytes pg_size_pretty pg_snapshot_send pg_snapshot_xip
    pg_snapshot_xmax pg_snapshot_xmin pg_split_walfile_name pg_stat_get_activity pg_stat_get_analyze_count
    pg_stat_get_archiver pg_stat_get_autoanalyze_count pg_stat_get_autovacuum_count pg_stat_get_backend_activity
    pg_stat_get_backend_activity_start pg_stat_get_backend_client_addr pg_stat_get_backend_client_port
    pg_stat_get_backend_dbid pg_stat_get_backend_idset pg_stat_get_backend_pid pg_stat_get_backend_start
    pg_stat_get_backend_subxact pg_stat_get_backend_userid pg_stat_get_backend_wait_event
    pg_stat_get_backend_wait_event_type pg_stat_get_backend_xact_start pg_stat_get_bgwriter_buf_written_clean
    pg_stat_get_bgwriter_maxwritten_clean pg_stat_get_bgwriter_stat_reset_time pg_stat_get_blocks_fetched
    pg_stat_get_blocks_hit pg_stat_get_buf_alloc pg_stat_get_checkpointer_buffers_written
    pg_stat_get_checkpointer_num_performed pg_stat_get_checkpointer_num_requested pg_stat_get_checkpointer_num_timed
    pg_stat_get_checkpointer_restartpoints_performed pg_stat_get_checkpointer_restartpoints_requested
    pg_stat_get_checkpointer_restartpoints_timed pg_stat_get_checkpointer_slru_written
    pg_stat_get_checkpointer_stat_reset_time pg_stat_get_checkpointer_sync_time pg_stat_get_checkpointer_write_time
    pg_stat_get_db_active_time pg_stat_get_db_blk_read_time pg_stat_get_db_blk_write_time pg_stat_get_db_blocks_fetched
    pg_stat_get_db_blocks_hit pg_stat_get_db_checksum_failures pg_stat_get_db_checksum_last_failure
    pg_stat_get_db_conflict_all pg_stat_get_db_conflict_bufferpin pg_stat_get_db_conflict_lock
    pg_stat_get_db_conflict_logicalslot pg_stat_get_db_conflict_snapshot pg_stat_get_db_conflict_startup_deadlock
    pg_stat_get_db_conflict_tablespace pg_stat_get_db_deadlocks pg_stat_get_db_idle_in_transaction_time
    pg_stat_get_db_numbackends pg_stat_get_db_parallel_workers_launched pg_stat_get_db_parallel_workers_to_launch
    pg_stat_get_db_session_time pg_stat_get_db_sessions pg_stat_get_db_sessions_abandoned pg_stat_get_db_sessions_fatal
    pg_stat_get_db_sessions_killed pg_stat_get_db_stat_reset_time pg_stat_get_db_temp_bytes pg_stat_get_db_temp_files
    pg_stat_get_db_tuples_deleted pg_stat_get_db_tuples_fetched pg_stat_get_db_tuples_inserted
    pg_stat_get_db_tuples_returned pg_stat_get_db_tuples_updated pg_stat_get_db_xact_commit
    pg_stat_get_db_xact_rollback pg_stat_get_dead_tuples pg_stat_get_function_calls pg_stat_get_function_self_time
    pg_stat_get_function_total_time pg_stat_get_ins_since_vacuum pg_stat_get_last_analyze_time
    pg_stat_get_last_autoanalyze_time pg_stat_get_last_autovacuum_time pg_stat_get_last_vacuum_time
    pg_stat_get_lastscan pg_stat_get_live_tuples pg_stat_get_mod_since_analyze pg_stat_get_numscans
    pg_stat_get_progress_info pg_stat_get_replication_slot pg_stat_get_slru pg_stat_get_snapshot_timestamp
    pg_stat_get_subscription pg_stat_get_subscription_stats pg_stat_get_total_analyze_time
    pg_stat_get_total_autoanalyze_time pg_stat_get_total_autovacuum_time pg_stat_get_total_vacuum_time
    pg_stat_get_tuples_deleted pg_stat_get_tuples_fetched pg_stat_get_tuples_hot_updated pg_stat_get_tuples_inserted
    pg_stat_get_tuples_newpage_updated pg_stat_get_tuples_returned pg_stat_get_tuples_updated pg_stat_get_vacuum_count
    pg_stat_get_wal pg_stat_get_wal_receiver pg_stat_get_wal_senders pg_statistics_obj_is_visible pg_table_is_visible
    pg_tablespace_databases pg_tablespace_location pg_timezone_abbrevs_abbrevs pg_timezone_abbrevs_zone
    pg_timezone_names pg_trigger_depth pg_ts_config_is_visible pg_ts_dict_is_visible pg_ts_parser_is_visible
    pg_ts_template_is_visible pg_type_is_visible pg_typeof pg_visible_in_snapshot pg_wal_lsn_diff pg_walfile_name
    pg_walfile_name_offset phraseto_tsquery pi plainto_tsquery point point_send poly_send polygon popen position
    postgresql_fdw_validator pow power querytree quote_ident quote_literal quote_nullable radians radius range_agg
    range_cmp range_intersect_agg range_intersect_agg_transfn range_merge range_send rank record_larger record_send
    record_smaller regclass regclasssend regcollationsend regconfigsend regdictionarysend regexp_count regexp_instr
    regexp_like regexp_match regexp_matches regexp_replace regexp_split_to_array regexp_split_to_table regexp_substr
    regnamespacesend regoperatorsend regopersend regproceduresend regprocsend regr_avgx regr_avgy regr_count
    regr_intercept regr_r2 regr_slope regr_sxx regr_sxy regr_syy regrolesend regtypesend repeat replace reverse right
    round row_number row_security_active row_to_json rpad rtrim satisfies_hash_partition scale schema_to_xml
    schema_to_xml_and_xmlschema schema_to_xmlschema session_user set_bit set_byte set_masklen setweight sha224 sha256
    sha384 sha512 shobj_description sign similar_escape similar_to_escape sin sind sinh slope spg_poly_quad_compress
    split_part sqrt starts_with statement_timestamp stddev stddev_pop stddev_samp string_agg string_to_array
    string_to_table strip strpos substr substring sum system_user table_to_xml table_to_xml_and_xmlschema
    table_to_xmlschema tan tand tanh text text_larger text_smaller textlen textsend tidlarger tidsend tidsmaller time
    time_cmp time_hash time_hash_extended time_larger time_send time_smaller timestamp timestamp_cmp timestamp_cmp_date
    timestamp_cmp_timestamptz timestamp_hash timestamp_hash_extended timestamp_larger timestamp_send timestamp_smaller
    timestamptypmodin timestamptz timestamptz_cmp timestamptz_cmp_date timestamptz_cmp_timestamp timestamptz_hash
    timestamptz_hash_extended timestamptz_larger timestamptz_send timestamptz_smaller timestamptztypmodin timetypmodin
    timetz timetz_cmp timetz_hash timetz_hash_extended timetz_larger timetz_send timetz_smaller timetztypmodin timezone
    to_ascii to_bin to_char to_date to_hex to_json to_jsonb to_number to_oct to_regclass to_regcollation
    to_regnamespace to_regoper to_regoperator to_regproc to_regprocedure to_regrole to_regtype to_regtypemod
    to_timestamp to_tsquery to_tsvector transaction_timestamp translate trim_array trim_scale trunc ts_debug ts_delete
    ts_filter ts_headline ts_lexize ts_parse ts_rank ts_rank_cd ts_token_type tsmultirange tsquery_cmp tsquery_phrase
    tsquerysend tsrange tsrange_subdiff tstzmultirange tstzrange tstzrange_subdiff tsvector_cmp tsvector_to_array
    tsvectorsend txid_current txid_current_if_assigned txid_current_snapshot txid_snapshot_send txid_snapshot_xip
    txid_snapshot_xmax txid_snapshot_xmin txid_visible_in_snapshot unicode_assigned unicode_version unistr unknownsend
    unnest upper upper_inc upper_inf uuid_cmp uuid_extract_timestamp uuid_extract_version uuid_hash uuid_hash_extended
    uuid_send var_pop var_samp varbit varbit_send varbitcmp varbittypmodin varchar varcharsend varchartypmodin variance
    version void_send websearch_to_tsquery width width_bucket xid xid8_larger xid8_smaller xid8cmp xid8send xidsend xml
    xml_is_well_formed xml_is_well_formed_content xml_is_well_formed_document xml_send xmlagg xmlcomment xmlconcat2
    xmlexists xmltext xmlvalidate xpath xpath_exists
  `),
  volatileFunctions: words(`
    amvalidate array_sample array_shuffle binary_upgrade_add_sub_rel_state binary_upgrade_create_empty_extension
    binary_upgrade_logical_slot_has_caught_up binary_upgrade_replorigin_advance binary_upgrade_set_missing_value
    binary_upgrade_set_next_array_pg_type_oid binary_upgrade_set_next_heap_pg_class_oid
    binary_upgrade_set_next_heap_relfilenode binary_upgrade_set_next_index_pg_class_oid
    binary_upgrade_set_next_index_relfilenode binary_upgrade_set_next_multirange_array_pg_type_oid
    binary_upgrade_set_next_multirange_pg_type_oid binary_upgrade_set_next_pg_authid_oid
    binary_upgrade_set_next_pg_enum_oid binary_upgrade_set_next_pg_tablespace_oid binary_upgrade_set_next_pg_type_oid
    binary_upgrade_set_next_toast_pg_class_oid binary_upgrade_set_next_toast_relfilenode
    binary_upgrade_set_record_init_privs brin_desummarize_range brin_summarize_new_values brin_summarize_range
    clock_timestamp current_query currtid2 currval cursor_to_xml cursor_to_xmlschema gen_random_uuid
    gin_clean_pending_list lastval lo_close lo_creat lo_create lo_export lo_from_bytea lo_get lo_import lo_lseek
    lo_lseek64 lo_open lo_put lo_tell lo_tell64 lo_truncate lo_truncate64 lo_unlink loread lowrite nextval
    pg_advisory_lock pg_advisory_lock_shared pg_advisory_unlock pg_advisory_unlock_all pg_advisory_unlock_shared
    pg_advisory_xact_lock pg_advisory_xact_lock_shared pg_available_wal_summaries pg_backup_start pg_backup_stop
    pg_blocking_pids pg_cancel_backend pg_clear_attribute_stats pg_clear_relation_stats pg_collation_actual_version
    pg_control_checkpoint pg_control_init pg_control_recovery pg_control_system pg_copy_logical_replication_slot
    pg_copy_physical_replication_slot pg_create_logical_replication_slot pg_create_physical_replication_slot
    pg_create_restore_point pg_current_logfile pg_current_wal_flush_lsn pg_current_wal_insert_lsn pg_current_wal_lsn
    pg_database_collation_actual_version pg_database_size pg_drop_replication_slot pg_export_snapshot
    pg_extension_config_dump pg_get_aios pg_get_backend_memory_contexts pg_get_loaded_modules pg_get_multixact_members
    pg_get_sequence_data pg_get_shmem_allocations pg_get_shmem_allocations_numa pg_get_wait_events
    pg_get_wal_replay_pause_state pg_get_wal_resource_managers pg_get_wal_summarizer_state pg_hba_file_rules
    pg_ident_file_mappings pg_import_system_collations pg_indexes_size pg_is_in_recovery pg_is_wal_replay_paused
    pg_isolation_test_session_is_blocked pg_jit_available pg_last_committed_xact pg_last_wal_receive_lsn
    pg_last_wal_replay_lsn pg_last_xact_replay_timestamp pg_lock_status pg_log_backend_memory_contexts
    pg_log_standby_snapshot pg_logical_emit_message pg_logical_slot_get_binary_changes pg_logical_slot_get_changes
    pg_logical_slot_peek_binary_changes pg_logical_slot_peek_changes pg_ls_archive_statusdir pg_ls_dir pg_ls_logdir
    pg_ls_logicalmapdir pg_ls_logicalsnapdir pg_ls_replslotdir pg_ls_summariesdir pg_ls_tmpdir pg_ls_waldir pg_nextoid
    pg_notification_queue_usage pg_notify pg_partition_ancestors pg_partition_tree pg_prepared_xact pg_promote
    pg_read_binary_file pg_read_file pg_relation_size pg_reload_conf pg_replication_origin_advance
    pg_replication_origin_create pg_replication_origin_drop pg_replication_origin_progress
    pg_replication_origin_session_is_setup pg_replication_origin_session_progress pg_replication_origin_session_reset
    pg_replication_origin_session_setup pg_replication_origin_xact_reset pg_replication_origin_xact_setup
    pg_replication_slot_advance pg_restore_attribute_stats pg_restore_relation_stats pg_rotate_logfile
    pg_safe_snapshot_blocking_pids pg_sequence_last_value pg_show_all_file_settings pg_show_replication_origin_status
    pg_sleep pg_sleep_for pg_sleep_until pg_stat_clear_snapshot pg_stat_file pg_stat_force_next_flush
    pg_stat_get_backend_io pg_stat_get_backend_wal pg_stat_get_io pg_stat_get_recovery_prefetch
    pg_stat_get_xact_blocks_fetched pg_stat_get_xact_blocks_hit pg_stat_get_xact_function_calls
    pg_stat_get_xact_function_self_time pg_stat_get_xact_function_total_time pg_stat_get_xact_numscans
    pg_stat_get_xact_tuples_deleted pg_stat_get_xact_tuples_fetched pg_stat_get_xact_tuples_hot_updated
    pg_stat_get_xact_tuples_inserted pg_stat_get_xact_tuples_newpage_updated pg_stat_get_xact_tuples_returned
    pg_stat_get_xact_tuples_updated pg_stat_have_stats pg_stat_reset pg_stat_reset_backend_stats
    pg_stat_reset_replication_slot pg_stat_reset_shared pg_stat_reset_single_function_counters
    pg_stat_reset_single_table_counters pg_stat_reset_slru pg_stat_reset_subscription_stats
    pg_stop_making_pinned_objects pg_switch_wal pg_sync_replication_slots pg_table_size pg_tablespace_size
    pg_terminate_backend pg_total_relation_size pg_try_advisory_lock pg_try_advisory_lock_shared
    pg_try_advisory_xact_lock pg_try_advisory_xact_lock_shared pg_wal_replay_pause pg_wal_replay_resume
    pg_wal_summary_contents pg_xact_commit_timestamp pg_xact_commit_timestamp_origin pg_xact_status plpgsql_validator
    query_to_xml query_to_xml_and_xmlschema query_to_xmlschema random random_normal set_config setseed setval timeofday
    ts_rewrite ts_stat txid_status uuidv4 uuidv7
  `),
  operators: words(`
    !! !~ !~* !~~ !~~* # ## #- #> #>> % & && &< &<| &> * *< *<= *<> *= *> *>= + - -> ->> -|- / < <-> << <<= <<| <= <>
    <@ <^ = > >= >> >>= >^ ? ?# ?& ?- ?-| ?| ?|| @ @-@ @> @? @@ @@@ ^ ^@ | |&> |/ |>> || ||/ ~ ~* ~<=~ ~<~ ~= ~>=~ ~>~
    ~~ ~~*
  `),
  types: words(`
    aclitem bit bool box bpchar bytea char cid cidr circle date datemultirange daterange float4 float8 gtsvector inet
    int2 int4 int4multirange int4range int8 int8multirange int8range interval json jsonb jsonpath line lseg macaddr
    macaddr8 money name numeric nummultirange numrange oid path pg_brin_bloom_summary pg_brin_minmax_multi_summary
    pg_dependencies pg_lsn pg_mcv_list pg_ndistinct pg_node_tree pg_snapshot point polygon refcursor regclass
    regcollation regconfig regdictionary regnamespace regoper regoperator regproc regprocedure regrole regtype text tid
    time timestamp timestamptz timetz tsmultirange tsquery tsrange tstzmultirange tstzrange tsvector txid_snapshot uuid
    varbit varchar xid xid8 xml
  `),
};
