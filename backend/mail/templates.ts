/** Names of the files in supabase/templates. */
export type TemplateName =
  | 'confirmation'
  | 'recovery'
  | 'magic_link'
  | 'email_change'
  | 'invite'
  | 'reauthentication'
  | 'registration_approved'
  | 'registration_declined';
