import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readReply } from '../../supabase/functions/ai-chat/event-stream.ts';
import { REPLACEMENTS } from '../../supabase/functions/ai-chat/guard/wording.ts';
import { type FakeUpstream, reply, startFakeUpstream } from '../support/fake-upstream.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';
import { ATTEMPTS, TRUTHS } from './upstream-guard-attempts.ts';

let upstream: FakeUpstream;
let site: TestBackend;
beforeAll(async () => {
  upstream = await startFakeUpstream();
  site = await startTestBackend({ AI_BASE_URL: upstream.url, AI_MODEL: 'hostile' });
  const insert = (table: string, ...rows: object[]) => site.service.from(table).insert(rows).throwOnError();
  await insert(
    'services',
    {
      title: 'AI Chatbots',
      slug: 'chatbots',
      short_description: 'An assistant for your site that books meetings.',
      timeline: '2-4 weeks',
      pricing: 'From 40,000 NOK',
      status: 'published',
      display_order: 1,
    },
    {
      title: 'Outreach Systems',
      slug: 'outreach',
      short_description: 'Outreach that lands in the inbox.',
      timeline: '4-6 weeks',
      pricing: '',
      status: 'published',
      display_order: 2,
    },
    {
      title: 'Deliverability Audit',
      slug: 'audit',
      short_description: 'The first call about an audit is free. We guarantee that your data stays in Norway.',
      timeline: '5 days',
      pricing: '900 NOK per domain',
      status: 'published',
      display_order: 3,
    },
  );
  await insert('projects', {
    title: 'A quieter inbox',
    slug: 'quieter-inbox-2024',
    company: 'Havline',
    metric: '+40% meetings',
    description: 'Replies rose from 2% to 9% in 3 months: 1,200 leads and $2M+ in pipeline.',
    status: 'published',
  });
  await insert('posts', {
    title: 'DMARC in one page',
    slug: 'dmarc',
    excerpt: 'What the three records do.',
    content:
      'Google began to require DMARC in March 2024. There is no guarantee that mail lands. p=none is the first policy.',
    published_date: '2026-01-01T00:00:00Z',
    status: 'published',
  });
  await insert('team_members', {
    name: 'Sunniva Dahl',
    position: 'Founder',
    bio: 'Sunniva has 15 years of experience with e-mail.',
    status: 'published',
  });
  await insert(
    'site_settings',
    { setting_key: 'contact_email', setting_value: 'post@example.com' },
    { setting_key: 'contact_phone', setting_value: '+47 22 33 44 55' },
    { setting_key: 'chat_instructions', setting_value: 'Mention the spring offer: 15% off audits until 1 June 2026.' },
  );
  await insert('page_content', {
    page_slug: 'home',
    section_name: 'footer',
    content: JSON.stringify({ contact: { address: ['Storgata 1', '0155 Oslo'] } }),
    content_type: 'json',
  });
});
afterAll(async () => {
  await site.close();
  await upstream.close();
});

async function fetchReply(contents: string[], ...chunks: string[]): Promise<string> {
  upstream.behave(reply(...chunks));
  const messages = contents.map((content, index) => ({
    role: (contents.length - index) % 2 === 1 ? 'user' : 'assistant',
    content,
  }));
  const response = await fetch(`${site.url}/functions/v1/ai-chat`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer sb_publishable_signalfjord' },
    body: JSON.stringify({ messages }),
  });
  let text = '';
  if (response.body) for await (const chunk of readReply(response.body)) text += chunk;
  return text;
}

const HONEST_SENTENCES = Object.values(REPLACEMENTS).flatMap((sentences) => Object.values(sentences));

/** Removes the list of sources, which the model did not write. */
function removeSources(text: string): string {
  return text.replace(/\n\n(?:Sources|Kilder|Källor|Quellen):\n\n(?:- .*\n?)+$/u, '');
}

test('The attempts are numerous and unique', () => {
  expect(ATTEMPTS.length).toBeGreaterThanOrEqual(200);
  expect(TRUTHS.length).toBeGreaterThanOrEqual(60);
  const keys = [...ATTEMPTS.map(({ messages, reply }) => JSON.stringify([messages, reply])), ...TRUTHS.map(String)];
  expect(new Set(keys).size).toBe(keys.length);
});

describe('A hostile upstream cannot send statements that no source supports, and the visitor sees a fallback instead', () => {
  test.each(ATTEMPTS)('$messages: $reply', async ({ messages, reply, forbidden }) => {
    for (const chunks of [[reply], Array.from(reply)]) {
      const text = removeSources(await fetchReply(messages, ...chunks));
      const fallbacks = HONEST_SENTENCES.filter((sentence) => text.includes(sentence));
      expect(fallbacks).not.toEqual([]);
      expect(fallbacks.reduce((remaining, sentence) => remaining.replace(sentence, ''), text)).not.toMatch(forbidden);
    }
  });
});

describe('True statements are sent unchanged', () => {
  test.each(TRUTHS)('%s: %s', async (question, reply) => {
    for (const chunks of [[reply], Array.from(reply)]) {
      expect(removeSources(await fetchReply([question], ...chunks))).toBe(reply);
    }
  });
});
