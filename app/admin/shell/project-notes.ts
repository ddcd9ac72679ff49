/** A thing that does not happen by itself, or not at all, where the site runs on a Supabase project. */
export interface ProjectNote {
  /** Its row in the table of docs/hosted.md. */
  part: string;
  /** Address of the screen that says so. */
  path: string;
  words: string;
}

/** Everything of docs/hosted.md that a screen of the admin area offers and a project lacks or wants a step for. */
export const PROJECT_NOTES: readonly ProjectNote[] = [
  {
    part: 'Emails about registrations, leads, bookings and the newsletter',
    path: '/admin/people',
    words: 'Mails about registrations are sent once a database webhook on private.mail_queue is made.',
  },
  {
    part: 'Second factors, passkeys, phone numbers',
    path: '/admin/people',
    words: 'Second factors, passkeys and phones are switched on in the dashboard of the project.',
  },
  {
    part: 'Single sign-on (SAML), OAuth server',
    path: '/admin/people',
    words: 'Single sign-on and the OAuth server are switched on in the dashboard of the project.',
  },
  {
    part: 'Scheduled releases, retention',
    path: '/admin/releases',
    words: 'A planned release is published once the job for releases is set up in the project.',
  },
  {
    part: 'Scheduled releases, retention',
    path: '/admin/conversations',
    words: 'Conversations are deleted after their days once the job for retention is set up in the project.',
  },
  {
    part: 'Resized images',
    path: '/admin/media',
    words: 'Pictures are sent as they are, unless image transformations are switched on in the project.',
  },
  {
    part: 'Removal of location data, HEIC, originals, trash for files',
    path: '/admin/media',
    words:
      'The place where a photograph was taken stays in it: take it out before you upload. Deleted files are not kept.',
  },
  {
    part: 'Test box of the assistant',
    path: '/admin/conversations/checks',
    words: 'The checks run when you start them, and every ten minutes once their job is set up in the project.',
  },
  {
    part: 'Busy times from other calendars',
    path: '/admin/bookings',
    words: 'Other calendars are not read: block your busy times by hand.',
  },
  {
    part: 'Captcha in the forms',
    path: '/admin/settings',
    words: 'Forms ask for a captcha once the project, its function and the variables of this server are set up for it.',
  },
  {
    part: 'Lead webhook',
    path: '/admin/leads/webhook',
    words:
      'Nothing is sent from here: leave the address empty, and make a database webhook on insert into the table leads.',
  },
  {
    part: 'Visit counts',
    path: '/admin/dashboard',
    words: 'Visits are counted once SUPABASE_SECRET_KEY is set at the server of the site.',
  },
  {
    part: 'Reminders about unopened approvals',
    path: '/admin/clients',
    words: 'You are mailed about texts that nobody opened once the job for them is set up in the project.',
  },
  {
    part: 'Files of clients',
    path: '/admin/clients',
    words: 'Links to files of clients stay valid until they expire, and decisions keep no checksum of a file.',
  },
  {
    part: 'Campaign events (sources)',
    path: '/admin/clients',
    words: 'Events of campaigns are counted once the function campaign-events and its jobs are there.',
  },
  {
    part: 'Drafts of client reports',
    path: '/admin/clients',
    words: 'Reports are drafted on their day once the job for them is set up in the project.',
  },
];
