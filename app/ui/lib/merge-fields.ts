/** Merge fields of common tools: {{name}}, {one|other}, %name% and [[name]]. See supabase/functions/campaign-events. */
export const MERGE_FIELD = /\{\{[^{}]*\}\}|\{[^{}]*\}|%[a-z][a-z0-9_]{1,40}%|\[\[[^[\]]*\]\]/gi;
