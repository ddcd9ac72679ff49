/** The database column of each form field can store every value that the form accepts. Content forms have their own test. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { z } from 'zod';
import { availabilitySchema } from '../../app/bookings/admin/availability-schema.ts';
import { detailsSchema } from '../../app/bookings/details-schema.ts';
import { checkSchema } from '../../app/chat/assistant-checks.ts';
import { listApprovalSchema } from '../../app/clients/approvals/approval-lists.ts';
import { textApprovalSchema } from '../../app/clients/approvals/approvals.ts';
import { commentSchema } from '../../app/clients/approvals/comments.ts';
import { campaignSchema, clientSchema } from '../../app/clients/clients.ts';
import { addedLeadSchema, reasonSchema } from '../../app/clients/leads/leads.ts';
import { disputeSchema, savedMeetingSchema } from '../../app/clients/meetings/meetings.ts';
import { noteSchema } from '../../app/clients/notes.ts';
import { summarySchema } from '../../app/clients/reports/reports.ts';
import { addedSourceSchema } from '../../app/clients/sources/sources.ts';
import { followUpSchema } from '../../app/leads/lead-document.ts';
import {
  CHAT_SETTINGS,
  LEAD_SETTINGS,
  MEDIA_SETTINGS,
  type Setting,
  SITE_SETTINGS,
} from '../../app/settings/settings.ts';
import { contactSchema } from '../../app/site/contact/contact-schema.ts';
import type { SqlValue } from '../../packages/backend/src/database/database.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

interface Form {
  schema: z.ZodType;
  /** Values that the form accepts. */
  valid: Record<string, unknown>;
  /** Table whose columns have the names of the fields. `columns` lists exceptions. */
  table: string;
  columns?: Record<string, string>;
}

const CAMPAIGN = '00000000-0000-4000-8000-000000000001';

const client = {
  ...{ name: 'Fjell AS', domain: 'fjell.no', time_zone: 'Europe/Oslo', first_weekday: '1', currency: 'NOK' },
  ...{
    meetings_goal: '',
    replies_goal: '',
    delivered_goal: '',
    report_weekday: '1',
    report_hour: '8',
    lead_months: '12',
  },
};
const request = { title: 'First mail', text: 'Hello', due_on: '' };
const details = { name: 'Kari', email: 'kari@example.com', phone: '', message: 'Hello' };
const approval = { title: 'approvals.title', text: 'approval_versions.text', due_on: 'approval_versions.due_on' };

const FORMS: Record<string, Form> = {
  client: { schema: clientSchema, valid: client, table: 'clients' },
  campaign: {
    schema: campaignSchema,
    valid: { name: 'First', channel: 'email', phase: 'planned', next_step: '', due_on: '' },
    table: 'campaigns',
  },
  'approval of a text': { schema: textApprovalSchema, valid: request, table: 'approval_versions', columns: approval },
  'approval of a list': { schema: listApprovalSchema, valid: request, table: 'approval_versions', columns: approval },
  comment: { schema: commentSchema, valid: { quote: '', text: 'Shorter' }, table: 'approval_comments' },
  meeting: {
    schema: savedMeetingSchema,
    valid: {
      ...{ met_with: 'Kari', starts_at: '2026-11-24T10:00', outcome: 'booked', evidence: '' },
      ...{ campaign_id: CAMPAIGN, booked_on: '' },
      ...{ role: '', company_size: '', country: '', is_customer: '', minutes: '' },
    },
    table: 'client_meetings',
  },
  dispute: { schema: disputeSchema, valid: { reason: 'No one came', criterion: 'other' }, table: 'client_meetings' },
  lead: {
    schema: addedLeadSchema,
    valid: { name: 'Kari', email: '', company: '', title: '', words: '', campaign_id: CAMPAIGN },
    table: 'client_leads',
  },
  'reason of a lead': { schema: reasonSchema, valid: { reason: 'Too small' }, table: 'client_leads' },
  note: { schema: noteSchema, valid: { text: 'Call back' }, table: 'client_notes' },
  summary: { schema: summarySchema, valid: { summary: '' }, table: 'client_reports' },
  source: {
    schema: addedSourceSchema,
    valid: {
      ...{ campaign: CAMPAIGN, provider: 'json', external_id: '', secret: '' },
      ...{ messages: true, replies: true, meetings: true },
    },
    table: 'campaign_sources',
    columns: { secret: 'campaign_sources.signing_secret' },
  },
  'follow-up of a lead': {
    schema: followUpSchema,
    valid: { status: 'new', owner_id: CAMPAIGN, note: '' },
    table: 'leads',
  },
  'contact message': { schema: contactSchema, valid: details, table: 'leads' },
  booking: { schema: detailsSchema, valid: details, table: 'bookings' },
  'weekly hours': {
    schema: availabilitySchema,
    valid: {
      ...{ time_zone: 'Europe/Oslo', length_minutes: '30', notice_hours: '12', days_ahead: '30', place: '', hours: [] },
    },
    table: 'booking_rules',
  },
  'check of the assistant': {
    schema: checkSchema,
    valid: { question: 'What do you do?', must_name: 'sales', must_not_name: '' },
    table: 'assistant_checks',
  },
};

const LENGTHS = [41, 65, 101, 121, 201, 254, 256, 301, 501, 1001, 2001, 4001, 5001, 10_001, 20_001, 100_001];
const HOSTILE = [
  ...['', ' ', '0', '-1', '1.5', '8', '24', '61', '481', '1000000000', '1000000001', '2147483648', '99999999999'],
  ...['1e400', 'NaN', '0x10', 'infinity', '275760-09-13', '0001-01-01', '1899-12-31', '2026-02-30', '2999-12-31'],
  ...['a\u0007b', 'a\u000bb', 'a\u001fb', 'a\u007fb', 'a\nb', 'kari\u0001@example.com', 'Not/A_Zone'],
  ...LENGTHS.map((length) => 'x'.repeat(length)),
];

let site: TestBackend;
beforeAll(async () => {
  site = await startTestBackend();
});
afterAll(() => site.close());

/** Creates a copy of a table with its types and checks, in which each column can be inserted alone. */
async function copyTable(table: string): Promise<void> {
  const { database } = site.backend;
  await database.query(
    `create table if not exists private.copy_of_${table} (like public.${table} including constraints)`,
  );
  const { rows } = await database.query<{ name: string }>(
    `select attname as name from pg_attribute
     where attrelid = 'private.copy_of_${table}'::regclass and attnum > 0 and attnotnull`,
  );
  for (const { name } of rows) {
    await database.query(`alter table private.copy_of_${table} alter column ${name} drop not null`);
  }
}

async function hasColumn(table: string, column: string): Promise<boolean> {
  const { rows } = await site.backend.database.query(
    `select from information_schema.columns where table_schema = 'public' and table_name = $1 and column_name = $2`,
    [table, column],
  );
  return rows.length > 0;
}

/** Returns the error from storing the value in the column, or null. */
async function findStoreError(table: string, column: string, value: SqlValue): Promise<string | null> {
  try {
    await site.backend.database.query(`insert into private.copy_of_${table} (${column}) values ($1)`, [value]);
    return null;
  } catch (error) {
    return String(error).slice(0, 200);
  }
}

test.each(Object.entries(FORMS))(
  'Every value that the %s form accepts can be stored',
  async (_name, { schema, valid, table, columns = {} }) => {
    expect(schema.safeParse(valid).error).toBeUndefined();
    const failures: string[] = [];
    let columnCount = 0;
    for (const field of Object.keys(valid)) {
      const [fieldTable = table, column = field] = columns[field]?.split('.') ?? [];
      // IDs are chosen in a select.
      if (column.endsWith('_id') || !(await hasColumn(fieldTable, column))) continue;
      await copyTable(fieldTable);
      columnCount += 1;
      for (const value of HOSTILE) {
        const description = `${field} = ${JSON.stringify(value.slice(0, 24))} (${value.length})`;
        const { data, error } = schema.safeParse({ ...valid, [field]: value });
        if (error) {
          // A select cannot submit an invalid option.
          for (const { code, message } of error.issues) {
            if (code !== 'invalid_value')
              expect(message, description).toMatch(/^(?!Too |Invalid (?!email))[A-Z][^:]*$/);
          }
          continue;
        }
        const storedValue = (data as Record<string, SqlValue>)[field] ?? null;
        const failure = await findStoreError(
          fieldTable,
          column,
          storedValue === '' && valid[field] === '' && isDate(field) ? null : storedValue,
        );
        if (failure) failures.push(`${description}: ${failure}`);
      }
    }
    expect(columnCount).toBeGreaterThan(0);
    expect(failures).toEqual([]);
  },
);

/** Forms use an empty string for a missing date and omit it when they save. */
const isDate = (field: string) => /_on$|_at$/.test(field);

const SETTINGS: Record<string, Setting> = { ...SITE_SETTINGS, ...CHAT_SETTINGS, ...LEAD_SETTINGS, ...MEDIA_SETTINGS };

test.each(Object.entries(SETTINGS))(
  'Every accepted value of the setting %s can be stored',
  async (_key, { schema }) => {
    await copyTable('site_settings');
    for (const value of HOSTILE) {
      const { data, error } = schema.safeParse(value);
      if (error) expect(error.issues[0]?.message).toMatch(/^[A-Z]/);
      else expect(await findStoreError('site_settings', 'setting_value', data), value.slice(0, 24)).toBeNull();
    }
  },
);
