/** Describes a feature that is missing or needs setup on a Supabase project. */
export interface ProjectNote {
  /** First cell of the table row in docs/hosted.md. */
  docsRow: string;
  /** Path of the screen with the note. */
  path: string;
  text: string;
}

/** All limitations in docs/hosted.md that concern a screen of the admin area. */
export const PROJECT_NOTES: readonly ProjectNote[] = [
  {
    docsRow: 'Emails about registrations, leads, bookings and the newsletter',
    path: '/admin/people',
    text: 'Emails about registrations are sent after you create a database webhook on private.mail_queue.',
  },
  {
    docsRow: 'Second factors, passkeys, phone numbers',
    path: '/admin/people',
    text: 'Enable second factors, passkeys and phone numbers in the dashboard of the project.',
  },
  {
    docsRow: 'Single sign-on (SAML), OAuth server',
    path: '/admin/people',
    text: 'Enable single sign-on and the OAuth server in the dashboard of the project.',
  },
  {
    docsRow: 'Scheduled releases, retention',
    path: '/admin/releases',
    text: 'Planned releases are published once the release job is set up in the project.',
  },
  {
    docsRow: 'Scheduled releases, retention',
    path: '/admin/conversations',
    text: 'Conversations are deleted after their retention period once the retention job is set up in the project.',
  },
  {
    docsRow: 'Resized images',
    path: '/admin/media',
    text: 'Pictures are sent in their original size, unless image transformations are enabled in the project.',
  },
  {
    docsRow: 'Removal of location data, HEIC, originals, trash for files',
    path: '/admin/media',
    text: 'Location data stays in photos. Remove it before you upload them. Deleted files are not kept.',
  },
  {
    docsRow: 'Test box of the assistant',
    path: '/admin/conversations/checks',
    text: 'The checks run when you start them, and every ten minutes once their job is set up in the project.',
  },
  {
    docsRow: 'Busy times from other calendars',
    path: '/admin/bookings',
    text: 'Other calendars are not read. Block your busy times yourself.',
  },
  {
    docsRow: 'Captcha in the forms',
    path: '/admin/settings',
    text: 'Forms use a captcha once it is set up in the project, its function and the environment variables of this server.',
  },
  {
    docsRow: 'Lead webhook',
    path: '/admin/leads/webhook',
    text: 'This server does not send leads. Leave the URL empty, and create a database webhook for inserts into the table leads.',
  },
  {
    docsRow: 'Webhooks of clients',
    path: '/admin/clients',
    text: 'This server does not call client webhooks. A function of the project can send the rows of client_webhook_deliveries.',
  },
  {
    docsRow: 'Visit counts',
    path: '/admin/dashboard',
    text: 'Visits are counted once SUPABASE_SECRET_KEY is set on the server of the site.',
  },
  {
    docsRow: 'Reminders about unopened approvals',
    path: '/admin/clients',
    text: 'You are emailed about unopened approvals once the reminder job is set up in the project.',
  },
  {
    docsRow: 'Files of clients',
    path: '/admin/clients',
    text: 'Links to client files cannot be revoked before they expire, and decisions do not record the checksum of a file.',
  },
  {
    docsRow: 'Campaign events (sources)',
    path: '/admin/clients',
    text: 'Campaign events are counted once the function campaign-events and its jobs are set up.',
  },
  {
    docsRow: 'Drafts of client reports',
    path: '/admin/clients',
    text: 'Reports are drafted on schedule once the report job is set up in the project.',
  },
];
