/**
 * The nouns of the database, in the order in which one reads them. A table or function belongs to the first whose pattern
 * its name matches.
 */
const NOUNS: readonly (readonly [noun: string, name: RegExp])[] = [
  ['previews', /preview|^is_live$/],
  ['reports', /report(?!_visits)|with_current_figures|monday_list|team_tasks|client_archive|shown_name|asked_summar/],
  [
    'releases',
    /release|publish_taken|_change$|_change_|(apply|ready|count)_changes|problem|sentences_of|changed_rows|written_columns|typed_row|^(insert|update|lock)_item$/,
  ],
  [
    'clients',
    /^approval_(rows|vetoes|comments)$|client_(files?|notes)$|(ask_for_list|ask_for_file)_approval$|list_approval_rows|add_approval_version|(read_list|veto)_rows|leave_alone|check_wording|comment_on_version|list_comments/,
  ],
  [
    'history',
    /(?<!approval_|campaign_)version|trash|deleted_content|restore_item|delete_for_ever|forget_items|differing_fields|refuse_stale/,
  ],
  ['figures', /quote|key_metric|(match|name)_meetings/],
  ['editing', /editing|editor_names/],
  ['search', /search|words|excerpt_of|trigram|index_content|find_by/],
  ['media', /media|pictures?_|pixels_of|share_of|alt_texts|is_brand_picture|mention|readdress/],
  ['brand', /brand|luminance/],
  ['newsletter', /newsletter|unsubscribe/],
  ['captcha', /captcha/],
  ['leads', /lead|webhook|left_address/],
  [
    'bookings',
    /book|calendar|availab|slot|offered_times|refuse_time|is_free|is_time_zone|time_in_words|busy|scheduling|^cancel|^my_calls$/,
  ],
  [
    'chat',
    /chat|conversation|repl(y|ies)|unanswered|assistant|check_results|reset_check|touches|last_message|first_question|asked_questions|sources_in/,
  ],
  ['visits', /visit/],
  ['sources', /(?<!data_)source|events|campaign_text|deviations|alarm|hash_of_secret|left_alone|keep_totals/],
  ['figures', /figure|import|judge|days_twice/],
  [
    'clients',
    /^clients|sample_client|^campaigns$|campaign_versions?$|(delete|restore|old|state_of)_campaigns?$|note_changer|approval_links?|_by_link$|hash_of_link|client_(members?|invitations|meetings?|assignments|people|places?|mails|time_zone)$|client_(home|logo|reads?|changes)$|changes_of_client$|is_deleted_campaign$|team_(overview|path)|waiting_at_client|unread|require_approver|members_to_tell|(lock|works_for)_client|do_not_contact|hash_of_address|address_key|keyed_address_hash|plain_entry|^approval(s|_versions|_decisions)$|(ask_for|decide|withdraw|list|lock)_approvals?$|tell_(client_of_approval|asker_of_decision)/,
  ],
  [
    'accounts',
    /my_|account|data_of|personal_data|(column|naming)_in_sql|forget_person|user_id$|sessions_of|factor|applications|proven|audit|standing|ways_in/,
  ],
  [
    'people',
    /people|acts_on_others|person|registration|user_roles|user_emails|team_member$|is_(admin|team|declined)|require_admin|make_(client|admin)|invited_account|mail_invitation|sign_in_link|revoke_access|register_with|act_on|note_act|lock_admins|approval/,
  ],
  ['settings', /setting|is_on/],
  ['mail', /mail/],
  [
    'content',
    /^(posts|projects|services|reviews|team_members|faq|page_content)$|content|document|slug|item|origins?|links|news|categor|reorder|countable|sitemap|line_of|visitors_read|kinds?$/,
  ],
  [
    'shared',
    /^(addresses_in_text|client_address|name_of|one_line|reader_id|request_keys|claim_request|token_of_request|retention_cutoff|touch_updated_at|has_admin_rights)$|^count_(ends_at|for_(address|networks|subject)|waiting)$|networks?_of$|^is_looking$|looked_at|refuse_lookers|list_exposed_objects/,
  ],
];

export const NOUN_NAMES: readonly string[] = [
  ...['content', 'settings', 'people', 'accounts', 'media', 'brand', 'history', 'releases', 'previews', 'editing'],
  ...[
    'search',
    'chat',
    'leads',
    'newsletter',
    'captcha',
    'bookings',
    'visits',
    'clients',
    'figures',
    'sources',
    'reports',
    'mail',
  ],
  'shared',
];

/** Returns the noun of a table or function. @throws Error for a name that belongs to none */
export function nounOf(name: string): string {
  const found = NOUNS.find(([, pattern]) => pattern.test(name));
  if (!found) throw new Error(`${name} belongs to no noun yet: add its name to one in scripts/schema/nouns.ts`);
  return found[0];
}
