/** Benchmarks the built-in assistant: quality, latency of an early and a late reply, and the search index. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { answerFromContent } from '../supabase/functions/ai-chat/built-in-assistant.ts';
import type { ChatMessage } from '../supabase/functions/ai-chat/chat-message.ts';
import { LANGUAGES } from '../supabase/functions/ai-chat/languages.ts';
import { createSearchIndex } from '../supabase/functions/ai-chat/search.ts';
import { groupPublished, type PublishedRow, type SiteContent } from '../supabase/functions/ai-chat/site-content.ts';
import { printScore } from './assistant-score.ts';
import { report } from './site.ts';

const WORDS =
  'inbox domain letter buyer market signal meeting answer reply sender list company engineer winter freight hotel machine budget offer trust'.split(
    ' ',
  );
const QUESTIONS = [
  'what does it cost?',
  'How do you avoid landing in spam?',
  'hva koster en chatbot',
  'waht do you now about frieght companys',
  'Hello, we are a small shipyard and would like to know how long it takes until the first meeting, and who does it',
];

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

await printScore();

for (const posts of [100, 1_000]) {
  const content = contentWith(posts);
  const before = heapMegabytes();
  const startedAt = performance.now();
  const index = createSearchIndex(content);
  report(`Index of ${posts} posts`, `${Math.round(performance.now() - startedAt)} ms`, '');
  report(`Memory of the index of ${posts} posts`, `${(heapMegabytes() - before).toFixed(1)} MB`, '');
  measure(`Search among ${posts} posts`, (question) => index.search(question));
  measure(`First answer, ${posts} posts (target 20 ms)`, (question) =>
    answerFromContent(content, index, [userMessage(question)]),
  );
  measure(`Answer after ten messages, ${posts} posts`, (question) =>
    answerFromContent(
      content,
      index,
      Array.from({ length: 10 }, (_, number) => userMessage(QUESTIONS[number % QUESTIONS.length] ?? '')).concat(
        userMessage(question),
      ),
    ),
  );
}

function heapMegabytes(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed / 2 ** 20;
}

function measure(name: string, work: (question: string) => unknown): void {
  const times: number[] = [];
  const cpuTimes: number[] = [];
  for (let turn = 0; turn < 120; turn++) {
    const [startedAt, cpuBefore] = [performance.now(), process.threadCpuUsage()];
    work(`${QUESTIONS[turn % QUESTIONS.length]}`);
    const { user, system } = process.threadCpuUsage(cpuBefore);
    if (turn < 20) continue;
    times.push(performance.now() - startedAt);
    cpuTimes.push((user + system) / 1000);
  }
  const percentilesOf = (times: number[]) => {
    const sorted = times.toSorted((a, b) => a - b);
    return [0.5, 0.95].map((share) => `${(sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(1)} ms`).join(', ');
  };
  report(name, percentilesOf(times), `median and 95th percentile; CPU time ${percentilesOf(cpuTimes)}`);
}

function userMessage(content: string): ChatMessage {
  return { role: 'user', content };
}

function contentWith(posts: number): SiteContent {
  const rows: PublishedRow[] = Array.from({ length: posts }, (_, number) => ({
    kind: 'posts',
    title: `${word(number)} and ${word(number * 3)} ${number}`,
    public_path: '/news/{slug}',
    text_columns: ['excerpt', 'content'],
    item: {
      title: `Post ${number}`,
      slug: `post-${number}`,
      excerpt: `About the ${word(number * 7)}.`,
      content: Array.from({ length: 250 }, (_value, place) => word(number * 31 + place * 17 + (place % 7))).join(' '),
      category: 'Bench',
      published_date: '2026-01-01',
    },
  }));
  for (const [title, pricing] of [
    ['Outreach Systems', 'Fixed'],
    ['AI Chatbots', 'Fixed price per assistant'],
  ]) {
    rows.push({
      kind: 'services',
      title: `${title}`,
      public_path: '/services',
      text_columns: ['short_description'],
      item: {
        title,
        slug: title,
        short_description: 'What we do.',
        long_description: '',
        timeline: '',
        pricing,
        deliverables: [],
      },
    });
  }
  return {
    ...groupPublished(rows),
    sections: new Map(),
    settings: new Map(),
    languages: LANGUAGES,
    takesLeads: false,
    instructions: '',
    allowedOrigins: 'any',
    isSwitchedOff: false,
  };
}

/** Returns a common or a rare word. */
function word(number: number): string {
  return number % 11 === 0 ? `term${number % 4001}` : `${WORDS[number % WORDS.length]}`;
}
