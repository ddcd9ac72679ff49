import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createGuard } from './guard.ts';
import { REPLACEMENTS } from './wording.ts';

const SOURCES = [
  { title: 'Services', url: '/services', text: 'offer: 2 services' },
  {
    title: 'AI Chatbots',
    url: '/services',
    text: 'service: AI Chatbots\nsummary: An assistant for your site that books meetings while you sleep.\ntimeline: 2-4 weeks\npricing: From 40,000 NOK',
  },
  {
    title: 'Outreach Systems',
    url: '/services',
    text: 'service: Outreach Systems\nsummary: Outreach that lands in the inbox.\ntimeline: 4-6 weeks\npricing: not published\ntext: We warm up domains. Deliverables: 3 domains; 12 mailboxes; Sequences.',
  },
  {
    title: 'A quieter inbox',
    url: '/projects?case=q',
    text: 'project: A quieter inbox\ncompany: Havline\nmetric: +40% meetings\ntext: Havline, a marine supplier, wrote 400 e-mails a day by hand. In 3 months replies rose from 2% to 9%.',
  },
];
const { price = '', figure = '', promise = '', unconfirmed = '' } = REPLACEMENTS['en'] ?? {};
const CONNECTED = new AbortController().signal;

function guardFor(question: string) {
  return createGuard(SOURCES, [{ role: 'user', content: question }], 'en');
}

async function* inPieces(...pieces: string[]) {
  yield* pieces;
}

async function shown(reply: string[], question = 'What do you do?'): Promise<string[]> {
  const pieces: string[] = [];
  for await (const piece of guardFor(question).check(inPieces(...reply), CONNECTED)) pieces.push(piece);
  return pieces;
}

describe('Timing of the output', () => {
  // The test advances the time of a pause.
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  const pause = () => vi.advanceTimersByTimeAsync(400);

  /** Sends pieces to the guard one by one and records its output. */
  function conversation(question = 'What do you do?') {
    const reply = new TransformStream<string, string>();
    const writer = reply.writable.getWriter();
    const output: string[] = [];
    const pieces = async function* () {
      const reader = reply.readable.getReader();
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        yield value;
      }
    };
    const reading = (async () => {
      for await (const piece of guardFor(question).check(pieces(), CONNECTED)) output.push(piece);
    })();
    return { write: (piece: string) => writer.write(piece), end: () => writer.close(), output, reading };
  }

  test('A sentence is shown when the next one begins, in its original pieces', async () => {
    const { write, end, output, reading } = conversation();
    for (const piece of ['We build', ' outreach', '. ', 'It']) await write(piece);
    await vi.advanceTimersByTimeAsync(0);
    expect(output).toEqual(['We build', ' outreach', '. ']);
    await end();
    await reading;
    expect(output).toEqual(['We build', ' outreach', '. ', 'It']);
  });

  test('Words without a claim are shown before their sentence ends if the model pauses', async () => {
    const { write, end, output, reading } = conversation();
    await write('We build outreach that');
    await pause();
    expect(output).toEqual(['We build outreach that']);
    await write(' costs 500 NOK. ');
    await end();
    await reading;
    expect(output.join('')).toBe(`We build outreach that… ${price} `);
  });

  test.each(['It costs 40,000', 'We guarantee', 'It takes two', 'See [the', 'A & B'])(
    '"%s" is held back in a pause, because it may become a claim',
    async (text) => {
      const { write, end, output, reading } = conversation();
      await write('First. ');
      await write(text);
      await pause();
      expect(output).toEqual(['First. ']);
      await end();
      await reading;
    },
  );

  test('Words without a claim are shown if the model fails', async () => {
    async function* broken() {
      yield 'We build';
      throw new Error('gone');
    }
    const output: string[] = [];
    const reading = (async () => {
      for await (const piece of guardFor('Hello').check(broken(), CONNECTED)) output.push(piece);
    })();
    await expect(reading).rejects.toThrow('gone');
    expect(output).toEqual(['We build']);
  });
});

describe('Replacement of a withheld sentence', () => {
  test.each([
    ['in a paragraph', 'We build. It costs 5 NOK. Ask us.', `We build. ${price} Ask us.`],
    ['in a list, only once', '- A: 5 NOK\n- B: 6 NOK\n- Ask us.\n', `- ${price}\n- Ask us.\n`],
    [
      'after a table',
      '| A | B |\n|---|---|\n| x | 5 NOK |\n| y | z |\n\nAsk us.',
      `| A | B |\n|---|---|\n| y | z |\n\n${price}\n\n\nAsk us.`,
    ],
    ['for a whole table', '| A | 5 NOK |\n|---|---|\n| x | z |\n\nAsk us.', `\n${price}\n\n\nAsk us.`],
    ['after a block of code', '```\na\n5 NOK\n```\nAsk us.', `\`\`\`\na\n\`\`\`\n\n${price}\n\nAsk us.`],
    ['in an unclosed block of code', '```\na\n5 NOK', `\`\`\`\na\n\`\`\`\n\n${price}`],
    [
      'once for each kind of claim',
      'It costs 5 NOK. We guarantee it. We have 9 offices. It costs 7 NOK.',
      `${price} ${promise} ${figure} `,
    ],
  ])('is shown: %s', async (_title, reply, expected) => {
    for (const pieces of [[reply], Array.from(reply)]) expect((await shown(pieces)).join('')).toBe(expected);
  });

  test('An unsupported claim of the visitor is addressed first', async () => {
    expect((await shown(['We build outreach.'], 'Is it 5 NOK?')).join('')).toBe(`${unconfirmed} We build outreach.`);
    expect((await shown(['I cannot confirm that.'], 'Is it 5 NOK?')).join('')).toBe('I cannot confirm that.');
    expect((await shown(['- We build outreach.'], 'Is it 5 NOK?')).join('')).toBe(
      `${unconfirmed}\n\n- We build outreach.`,
    );
  });

  test('The replacement is in the language of the visitor', async () => {
    const guard = createGuard(SOURCES, [{ role: 'user', content: 'Hva koster det?' }], 'nb');
    let text = '';
    for await (const piece of guard.check(inPieces('Det koster 5 kr.'), CONNECTED)) text += piece;
    expect(text).toBe(REPLACEMENTS['nb']?.price);
    expect(guard.withheld()).toBe(1);
  });
});

/** Long replies of a good model. The guard must not withhold anything. */
test.each([
  [
    'What do you do?',
    "Hi there! We're Signalfjord, and we help B2B companies fill their calendars with the right meetings. Our two main services are:\n\n- **AI Chatbots**: an assistant for your website that books meetings, even while you sleep.\n- **Outreach Systems**: e-mail outreach that actually lands in the inbox.\n\nWhich of these sounds closer to what you need?",
  ],
  [
    'Can you show me an example?',
    'Sure! One good example is [A quieter inbox](/projects?case=q). Havline, a marine supplier, used to write 400 e-mails a day by hand. In 3 months, their reply rate went from 2% to 9%, and they had 40% more meetings. Would something like that help you too?',
  ],
  [
    'What is included?',
    'With Outreach Systems you get:\n\n1. 3 domains, warmed up for you\n2. 12 mailboxes\n3. Sequences written for your audience\n\nIt takes 4-6 weeks.',
  ],
  [
    'Can I cancel at any time?',
    "Nothing about cancellation is published on this site, so I can't say. A person on the team will be able to answer that in a call.",
  ],
  [
    'We send 500 emails a week and get 1% replies. Is that normal?',
    "Many teams start there. Havline's replies rose from 2% to 9% in 3 months. What you send and where it lands both matter.",
  ],
  ['Thanks!', "You're welcome! Happy to help. Have a great day!"],
  [
    'Do you work with dentists?',
    "There's nothing here about dentists specifically, but we work with B2B companies such as Havline, a marine supplier. What kind of customers do you want to reach?",
  ],
  ['Tell me a joke', 'Why did the e-mail cross the road? To land in the inbox! Now, what can I help you with today?'],
])('A good answer to "%s" is shown in full', async (question, reply) => {
  expect((await shown(reply.split(/(?<=\s)/), question)).join('')).toBe(reply);
});

test.each(['tre', 'mille', 'a', '[(', '1 ', '<a ', 'yes '])(
  'A long message or reply of only "%s" is processed without hanging',
  async (part) => {
    const text = part.repeat(Math.floor(4000 / part.length));
    expect((await shown([text.repeat(3)], text)).length).toBeGreaterThan(0);
  },
);

describe('Words of the visitor', () => {
  const replyShownFor = async (question: string, reply: string) => (await shown([reply], question)).join('');

  test.each([
    ['exammwsm5oj97', 'Thank you for your message exammwsm5oj97.'],
    ['It is about reference AB-2291.', 'Thank you, I noted your reference AB-2291.'],
    ['Order 7XK29Q is late.', 'Order 7XK29Q is not something that I can see.'],
    ['My order number is 48213, where is it?', 'I do not know where order 48213 is.'],
    ['I am Wojciech Kowalczyk.', 'Thank you, Wojciech Kowalczyk.'],
    ['My order is 4711882', 'Your order 4711882 is noted here.'],
    ['Order #20231234 is late', 'I am sorry about order 20231234. A person will look at it.'],
    ['Invoice 10045 is wrong.', 'I cannot look up invoice 10045.'],
    ['Order AB-2291 please', 'I understand that order AB-2291 matters to you.'],
    ['Bestellnummer: Bestellung 771203', 'Ich sehe, dass Bestellung 771203 hier genannt ist.'],
    ['Faktura 90871 mangler', 'Jeg noterer faktura 90871.'],
  ])('After %j, the reply may repeat them: %j', async (question, reply) => {
    expect(await replyShownFor(question, reply)).toBe(reply);
  });

  test.each([
    ['My order is 48213.', 'It costs 48213 NOK.'],
    ['My order is 48213.', 'Order 48213 arrives on 4 May.'],
    ['My order is 48213.', 'Our order number is 99999.'],
    ['My order is 48213.', 'Order 48213 comes with a guarantee.'],
    ['My order is AB-2291.', 'Your reference AB-2292 is noted.'],
    ['My order is AB-2291.', 'AB-2291 companies trust us.'],
    ['My order is AB-2291.', 'It costs AB-2291.'],
    ['My order is top-1000.', 'We are among the top-1000 agencies.'],
    ['Case 40 is mine.', 'In this case 40 companies trust us.'],
    ['My case is 4000.', 'In this case 4000 companies trust us.'],
    ['My order is 48213.', 'We have 48213 clients.'],
    ['My order is 48213.', 'Order 48213 costs nothing.'],
    ['My order is 48213.', '48213 is what we charge.'],
    ['Order 2026 is mine.', 'Order 2026 is when we start.'],
    ['My invoice is 5000.', 'Your invoice 5000 NOK is the price.'],
    ['AB-2291 is mine', 'AB-2291 happy clients trust us.'],
    ['I want NOK5000 off.', 'NOK5000 is the price.'],
    ['My code is usd2026.', 'It is usd2026.'],
    ['My code is zar2026.', 'It is zar2026.'],
    ['My code is may2026.', 'We start may2026.'],
    ['My code is 50pct2x.', 'You get 50pct2x.'],
    ['My code is 24x7x365.', 'We are there 24x7x365.'],
    ['My code is 2for1now.', 'It is 2for1now.'],
    ['My code is 30days50off.', 'It is 30days50off.'],
    ['My order is 15-05-2026.', 'We start on 15-05-2026.'],
    ['Order meetings2026x40.', 'We book meetings2026x40.'],
  ])('After %j, the guard withholds %j', async (question, reply) => {
    const text = await replyShownFor(question, reply);
    expect(text).not.toContain(reply);
    expect(Object.values(REPLACEMENTS['en'] ?? {}).some((honest) => text.includes(honest))).toBe(true);
  });
});
