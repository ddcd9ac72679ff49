import type { MailItem, MailVariables, TemplateName } from '../../server/mails/templates.ts';

const VARIABLES = {
  SiteURL: 'https://example.com',
  Email: 'ada@example.com',
  NewEmail: 'ada@new.example.com',
  Token: '123456',
  TokenHash: 'abc',
  RedirectTo: 'https://example.com/a?b=c&d=e',
  Link: 'https://example.com/auth/confirm?token_hash=abc&type=invite&redirect_to=https%3A%2F%2Fexample.com%2Fa%3Fb%3Dc%26d%3De',
  Name: 'Kari Nordmann',
  Greeting: 'Hello Kari Nordmann,',
  Topic: 'About AI Chatbots.',
  When: 'Tuesday 24 November 2026, 10:00 to 10:30 (Europe/Oslo)',
  Place: 'We will call you on the number that you gave us.',
  Change: 'A call was booked',
  Service: 'AI Chatbots',
  Phone: '+47 22 00 00 00',
  CallTime: 'In the morning',
  Message: 'We would like to hear how you would begin.\nOur list has 4,000 companies.',
  LeadId: '1',
  ReleaseId: '1',
  ReportId: '1',
  PlannedTime: '24 November 2026, 09:00',
  UnsubscribeToken: 'abc',
  Title: 'First mail of spring',
  Client: 'Nordvik Logistics',
  What: 'We wrote a text',
  Version: 'This is version 2, with the changes marked.',
  Asker: 'Kari Nordmann',
  Due: '1 December 2026',
  More: '',
  Path: '/approve/abc',
  Action: 'I will take it',
  Access:
    'The button works without a password for 14 days, in the first browser that opens it. Do not forward this email.',
  Verdict: 'Approved',
  Inviter: 'Kari Nordmann',
  Count: '2 tasks',
  UserId: '1',
  Reason: 'You can follow your campaigns and read reports and shared files.',
  Figure: '+40% qualified meetings',
  Period: 'October 2026',
  Correction: '',
  Figure1: '5',
  Metric1: 'meetings booked',
  Before1: '3 the month before',
  Rise1: '+2',
  Figure2: '23',
  Metric2: 'replies',
  Before2: '25 the month before',
  Fall2: '−2',
  Figure3: '1,348',
  Metric3: 'messages delivered',
  Before3: 'no figure the month before',
  Hash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
};

/** Variables that have other values in these templates. */
const OWN_VALUES: Partial<Record<TemplateName, { Items?: MailItem[]; [name: string]: unknown }>> = {
  approval_asked: { Message: 'Subject: A call in the spring?\nHello Ola,\nour list has 4,000 companies.' },
  meeting_results: {
    Items: [
      {
        text: 'Ola Berg, Kunde AS',
        detail: '25 October 2026, for Nordvik Logistics',
        action: 'Add result',
        path: '/result/abc',
      },
      {
        text: 'Eva Lund, Havn AS',
        detail: '25 September 2026, for Nordvik Logistics',
        action: 'Add result',
        path: '/result/def',
      },
    ],
  },
  monday_list: {
    Count: '3 tasks',
    Path: '/admin/dashboard',
    Items: [
      {
        group: 'Nordvik Logistics',
        text: 'Draft report',
        detail: '16 November to 22 November 2026',
        path: '/reports/1',
      },
      {
        group: 'Nordvik Logistics',
        text: 'First mail of spring',
        detail: 'Approval declined',
        path: '/admin/clients/1#approval-1',
      },
      {
        group: 'Fjell AS',
        text: 'Meeting with Ola Berg, Kunde AS',
        detail: 'Disputed',
        path: '/admin/clients/2#meeting-1',
      },
    ],
  },
  more_leads: { Count: '21 leads', Path: '/client-dashboard?client=1&tab=leads' },
  approval_unread: {
    Path: '/admin/clients/1#approval-1',
    Action: 'Open the approvals',
    Items: [
      { text: 'First mail of spring', path: '/admin/clients/1#approval-1' },
      { text: 'Bakers in Oslo', path: '/admin/clients/1#approval-2' },
    ],
  },
  client_lead: {
    Title: 'Ola Berg, Kunde AS',
    What: 'They answered the campaign “Spring” of Nordvik Logistics.',
    Message: '“Thank you. Can you call me on Thursday?”',
    Path: '/lead/abc',
    Access:
      'The button and “Not a fit” open a page where you confirm your answer. They work without a password for 14 days, in the first browser that answers. Do not forward this email.',
    Items: [
      { text: 'Not a fit', path: '/lead/abc?answer=not_fit' },
      { text: 'Open it in your dashboard', path: '/client-dashboard?client=1#lead-1' },
    ],
  },
  client_alarm: { Message: 'The bounce rate of “Spring” was 6.2% yesterday.', Path: '/admin/clients/1#alarms' },
  client_report: { Message: 'The second mail works best. We will send it first in November.' },
  release_failed: { Name: 'Spring', Message: 'The page “About” has no title.' },
  quote_asked: { Title: 'Nordvik Logistics: twice the meetings' },
  meeting_disputed: {
    Title: 'Ola Berg, Kunde AS',
    Message: 'He left after five minutes.',
    Path: '/admin/clients/1#meeting-1',
  },
  lead_waiting: { Title: 'Ola Berg, Kunde AS', Path: '/admin/clients/1#lead-1' },
  approval_decided: { Message: 'We read it together and like it.', Path: '/admin/clients/1#approval-1' },
  admin_added: { Name: 'Ola Berg' },
  booking_summary: {
    Change: '2 more booking changes',
    Message:
      'A call was booked: Tuesday 24 November 2026, 10:00 to 10:30 (Europe/Oslo)\nA call was moved: Friday 27 November 2026, 09:00 to 09:30 (Europe/Oslo)',
  },
  invitation: { Place: 'the client portal of Nordvik Logistics', Message: '' },
  client_added: { Place: 'the client portal of Nordvik Logistics', Message: '' },
};

/** Returns values for every variable of a template in supabase/templates, as a site fills them in. */
export function mailSample(template: TemplateName): MailVariables {
  return { ...VARIABLES, ...OWN_VALUES[template] };
}
