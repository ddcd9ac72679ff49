import { expect, test } from 'vitest';
import { type Deviation, findNearest } from './same-text.ts';

function deviationFrom(approved: string, sent: string): Deviation | null {
  return findNearest([approved], sent).deviation;
}

const APPROVED = [
  `Subject: {{company}} and oil

Hello {{first_name}},

we noticed that {{company}} heats with oil. Three hotels near you pay a third less since they changed theirs – "and it was easy", says one of them.

Should I send you how they did it? It takes 15 minutes.

Kari`,
  `Hi {{first_name|there}},

{{icebreaker}}

{Short|Quick} question: who at {{company_name}} decides about warehouses? We store 1,200 pallets for Norlys AS in Oslo & Bergen.

See https://example.com/cases?id=7 for how.

Best regards,
%signature%`,
  `Hei {first_name}, takk for sist!

Vi hjelper bedrifter som {company} å få 20 møter i måneden, uten å ringe. Passer en prat på torsdag?

Vennlig hilsen
Ola Nordmann`,
  `{{RANDOM|Good morning|Good day}} {{first_name}},

- 14 days free
- no card
- ends by itself

Just answer "yes" and I set it up for {{company}}.

Kari Nordmann
-- 
Nordlys Energy, Oslo`,
];

const PEOPLE = [
  { first: 'Ola', company: 'Fjell AS' },
  { first: 'Anne-Marie', company: 'Müller & Söhne GmbH' },
  { first: '', company: 'the company "Havn"' },
  { first: 'José', company: 'A' },
  { first: '李雷', company: 'Brødrene Dahl, avd. Nord (1912)' },
];

const ICEBREAKERS = [
  '',
  'Congratulations on the new hall in Drammen.',
  'I read your post on cold stores yesterday; the part on doors made me think of what we see at other places, too.',
];

/** Fills in placeholders and picks alternatives, like a provider. */
function fillPlaceholders(text: string, person: (typeof PEOPLE)[number], turn: number): string {
  return text
    .replace(/^Subject:.*\n\n/, '')
    .replaceAll(/\{\{(?:first_name)(?:\|\w+)?\}\}|\{first_name\}/g, person.first)
    .replaceAll(/\{\{(?:company|company_name)\}\}|\{company\}/g, person.company)
    .replaceAll('{{icebreaker}}', ICEBREAKERS[turn % ICEBREAKERS.length] ?? '')
    .replaceAll('%signature%', 'Kari Nordmann\nNordlys Energy\n+47 22 00 00 00')
    .replaceAll(/\{(?:\{RANDOM\|)?([^{}|]*)\|([^{}]*)\}\}?/g, turn % 2 === 0 ? '$1' : '$2');
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;').replaceAll('–', '&ndash;');
}

/** Ways in which mail programs change the same text: line breaks, quotes, signatures and HTML. */
const VARIANTS: ((text: string) => string)[] = [
  (text) => text,
  (text) => text.replaceAll('\n', '\r\n'),
  (text) => text.replaceAll('\n\n', '\n'),
  (text) => text.replaceAll(/(.{40,60}) /g, '$1\n'),
  (text) => `${text}\n\nOn Mon, 2 Nov 2026 at 10:00, Ola Nordmann <ola@kunde.example> wrote:\n> Hello`,
  (text) => `${text}\n\n-- \nKari Nordmann\nNordlys Energy AS\nhttps://nordlys.example`,
  (text) => `${text}\n\n-----Original Message-----\nFrom: Ola\nSent: Monday\nSubject: x`,
  (text) =>
    escapeHtml(text)
      .split('\n')
      .map((line) => `<p style="margin: 0">${line || '&nbsp;'}</p>`)
      .join(''),
  (text) =>
    `<!DOCTYPE html><html><head><style>p { color: red }</style></head><body>${escapeHtml(text).replaceAll('\n', '<br>\n')}<img src="https://t.example/p.gif" width="1"></body></html>`,
  (text) =>
    `<div dir="ltr">${escapeHtml(text).replaceAll('\n', '</div><div>')}</div><div class="gmail_quote">On Monday Ola wrote: <blockquote>Hi</blockquote></div>`,
  (text) => `${escapeHtml(text).replaceAll('\n', '<br/>')}<br><div class="gmail_signature">Kari, +47 22 00 00 00</div>`,
  (text) =>
    text
      .replaceAll("'", '’')
      .replaceAll(/"([^"\n]*)"/g, '“$1”')
      .replaceAll('–', '-'),
  (text) =>
    escapeHtml(text)
      .replaceAll('\n', '<br>')
      .replaceAll(/(https:[^ <]*)/g, '<a href="https://t.example/click?u=1">$1</a>'),
];

test('1,000 unchanged messages are not reported as deviations', () => {
  let count = 0;
  for (let turn = 0; count < 1000; turn += 1) {
    for (const approved of APPROVED) {
      for (const variant of VARIANTS) {
        const person = PEOPLE[(turn + count) % PEOPLE.length];
        if (!person) throw new Error('No person at this index');
        const sent = variant(fillPlaceholders(approved, person, turn));
        expect(deviationFrom(approved, sent), sent).toBeNull();
        count += 1;
      }
    }
  }
});

const DEVIATIONS: [text: number, change: (sent: string) => string][] = [
  [0, (sent) => sent.replace('a third less', 'half')],
  [0, (sent) => sent.replace('15 minutes', '45 minutes')],
  [0, (sent) => sent.replace('Three hotels', 'Thirty hotels')],
  [0, (sent) => sent.replace(' It takes 15 minutes.', '')],
  [0, (sent) => sent.replace('Should I', 'We guarantee it. Should I')],
  [0, (sent) => sent.replace('\nKari', '\nPer')],
  [0, (sent) => `${sent}\n\nPS: The offer ends today.`],
  [0, (sent) => sent.replace('Hello', 'Dear')],
  [0, (sent) => sent.replace('heats with oil', 'heats with gas')],
  [0, (sent) => sent.replace('we noticed', 'We noticed')],
  [0, (sent) => sent.split('\n\n').toReversed().join('\n\n')],
  [0, () => ''],
  [0, () => fillPlaceholders(APPROVED[2] ?? '', { first: 'Ola', company: 'Fjell AS' }, 0)],
  [1, (sent) => sent.replace('1,200', '12,000')],
  [1, (sent) => sent.replace('?id=7', '?id=8')],
  [1, (sent) => sent.replace('example.com', 'examp1e.com')],
  [1, (sent) => sent.replace('Norlys AS', 'Equinor ASA')],
  [1, (sent) => sent.replace(/(?:Short|Quick) question/, 'Urgent question')],
  [1, (sent) => sent.replace('who at', 'whoever at')],
  [1, (sent) => sent.replace('Best regards,', 'Best regards, and please pay by Friday,')],
  [1, (sent) => sent.replace('See https', 'Log in at https')],
  [1, (sent) => sent.replace('Hi ', `Hi ${'and hello '.repeat(20)}`)],
  [2, (sent) => sent.replace('20 møter', '200 møter')],
  [2, (sent) => sent.replace('uten å ringe', 'og ringe')],
  [2, (sent) => sent.replace('torsdag', 'fredag')],
  [2, (sent) => sent.replace('Ola Nordmann', 'Ola Nordmann, daglig leder')],
  [3, (sent) => sent.replace('14 days', '30 days')],
  [3, (sent) => sent.replace('- no card\n', '')],
  [3, (sent) => sent.replace('ends by itself', 'renews by itself')],
  [3, (sent) => sent.replace(/Good (?:morning|day)/, 'Good evening')],
];

test('Finds each of 30 deviations in plain text and in HTML', () => {
  expect(DEVIATIONS).toHaveLength(30);
  for (const [index, change] of DEVIATIONS) {
    const approved = APPROVED[index] ?? '';
    const unchanged = fillPlaceholders(approved, { first: 'Ola', company: 'Fjell AS' }, index);
    const sent = change(unchanged);
    expect(sent).not.toBe(unchanged);
    expect(deviationFrom(approved, sent), sent).not.toBeNull();
    expect(deviationFrom(approved, `<p>${escapeHtml(sent).replaceAll('\n', '<br>')}</p>`), sent).not.toBeNull();
  }
});

test('A deviation contains the sentence that was sent', () => {
  const sent = fillPlaceholders(APPROVED[0] ?? '', { first: 'Ola', company: 'Fjell AS' }, 0).replace(
    'a third less',
    'half',
  );
  expect(deviationFrom(APPROVED[0] ?? '', sent)?.sent).toContain('Three hotels near you pay half since');
  expect(deviationFrom('Hello.', 'Hello. Pay now.')).toEqual({ sent: 'Pay now.', approved: '', matchedLength: 6 });
});

/** Quoted threads with the header lines of several mail programs. */
const THREADS = [
  'man. 16. nov. 2026 kl. 09:00 skrev Kari Nordmann <kari@x-test.no\n>:\n\n> Hei Ola',
  'tor. 5. nov. 2026 kl. 09:00 skrev Kari Nordmann <kari@x-test.no>:\n\n> Hei Ola',
  'Den man. 16. nov. 2026 kl. 09.00 skrev Kari Nordmann <kari@x-test.no>:\n> Hej Ola',
  'Den mån 16 nov. 2026 kl 09:00 skrev Kari Nordmann <kari@x-test.no>:\n\n> Hej Ola',
  'Den 16.11.2026 09:00, skrev Kari Nordmann:\n> Hei Ola',
  '16. nov. 2026 kl. 09:00 skrev Kari Nordmann <kari@x-test.no>:\n\nHei Ola',
  'Den mandag 16. november 2026 klokken\n09:00 skrev Kari Nordmann:\n> Hei Ola',
  'On Mon, 16 Nov 2026 at 09:00, Kari Nordmann <kari@x-test.no>\nwrote:\n\n> Hei Ola',
  'Am Mo., 16. Nov. 2026 um 09:00 Uhr schrieb Kari Nordmann <\nkari@x-test.no>:\n\n> Hei Ola',
  'Le lun. 16 nov. 2026 à 09:00, Kari Nordmann <kari@x-test.no> a écrit :\n\n> Hei Ola',
  'E hën., 16 nën 2026 në 09:00, Kari Nordmann <kari@x-test.no> shkroi:\n\n> Hei Ola',
  '________________________________\nFra: Kari Nordmann <kari@x-test.no>\nSendt: mandag 16. november 2026 09:00\nTil: Ola\nEmne: SV: Hei\n\nHei Ola',
  'Fra: Kari Nordmann\nDato: mandag, 16. november 2026 kl. 09:00\nTil: Ola\nHei Ola',
  '*Fra:* Kari Nordmann <kari@x-test.no>\n*Sendt:* mandag 16. november 2026 09:00\n\nHei Ola',
  'Från: Kari Nordmann\nSkickat: den 16 november 2026 09:00\nTill: Ola\nÄmne: Hej\n\nHej',
  'Von: Kari Nordmann\nGesendet: Montag, 16. November 2026 09:00\nAn: Ola\n\nHallo',
  '-----Opprinnelig melding-----\nHei Ola',
  '-- \nKari',
  '> Hei Ola',
];

test('Quoted threads are ignored if their header is in any supported language', () => {
  const text = 'Hei Ola,\n\nVi hjelper gjerne.\n\nMvh Kari';
  for (const thread of THREADS) {
    for (const sent of [`${text}\n\n${thread}`, `${text}\n\n${thread}`.replaceAll('\n', '\r\n')]) {
      expect(deviationFrom(text, sent), sent).toBeNull();
    }
  }
});

test('A sentence that resembles the header of a quoted thread is still compared', () => {
  const text = 'Hei Ola,\n\nVi hjelper gjerne.';
  const sentences = [
    'Kari skrev følgende til deg:',
    'Møtet er 16. november 2026 kl. 09:00:',
    'From: today on everything costs twice as much.',
    'Den 16.11.2026 skrev vi en avtale om 20 prosent rabatt.',
    '- original message -',
  ];
  for (const sentence of sentences)
    expect(deviationFrom(text, `${text}\n\n${sentence}`)?.sent, sentence).toMatch(sentence.slice(0, 10));
});

test('A message that exceeds the maximum length is a deviation, even if it starts like the approved text', () => {
  const hidden = 'Hello.<span></span>'.padEnd(300_000, '<b></b>');
  expect(deviationFrom('Hello.', `${hidden}Pay now.`)).not.toBeNull();
  expect(deviationFrom('Hello.', `Hello.${' '.repeat(50_000)}Pay now.`)).not.toBeNull();
  expect(deviationFrom('Hello.', `Hello.${'<b></b>'.repeat(20_000)}`)).toBeNull();
});

test('An excerpt never splits a character', () => {
  for (let length = 60; length < 180; length += 1) {
    const deviation = deviationFrom('Hello.', `${'😀'.repeat(length)}x${'😀'.repeat(length)}`);
    expect(deviation?.sent.isWellFormed(), String(length)).toBe(true);
    const after = deviationFrom(`x${'😀'.repeat(length)}`, 'y');
    expect(after?.approved.isWellFormed(), String(length)).toBe(true);
  }
});

test('Adversarial texts do not slow down the comparison', { timeout: 60_000 }, () => {
  const slow = [
    '<',
    '<a',
    '<!--',
    '<style>',
    '&#',
    '\n',
    ' ',
    '{{',
    '>\n',
    'On x wrote',
    '<div class="',
    'a',
    'On 2026 wrote  ',
  ];
  for (const part of slow) {
    const sent = part.repeat(Math.ceil(1_000_000 / part.length));
    const begin = process.cpuUsage();
    for (const approved of [
      ...APPROVED,
      '{{a}}x'.repeat(300),
      '{{a}}',
      'a'.repeat(20_000),
      `{{a}}${'a'.repeat(19_000)}b`,
    ])
      deviationFrom(approved, sent);
    expect(process.cpuUsage(begin).user / 1000, part).toBeLessThan(1500);
  }
});
