/**
 * Pairs of statements about us without numbers, as a language model would write them. Each entry has a question, a
 * statement that the starter content supports, and a similar statement that the content does not support. The guard's
 * limit was tuned on the first set. The second set is only used for measuring.
 */
export type ClaimPairs = readonly (readonly [question: string, truth: string, lie: string])[];

export const TUNING_PAIRS: ClaimPairs = [
  [
    'How does outreach begin?',
    'We set up the sending domains and warm them up first.',
    'We buy sending domains from a reseller in Estonia.',
  ],
  [
    'Who reads the replies?',
    'Replies are sorted by intent and handed to the right person in our clients’ teams.',
    'Our operators read replies by hand around the clock.',
  ],
  [
    'Where do the leads arrive?',
    'Our leads arrive where your team works, each with the reason why it is there.',
    'Our leads arrive as a printed booklet by courier.',
  ],
  [
    'What does the chatbot know?',
    'The assistant answers from your pages, documents and price list.',
    'The assistant searches the whole internet and social networks.',
  ],
  [
    'Does the chatbot invent things?',
    'The assistant does not invent prices or promises.',
    'The assistant negotiates prices and closes contracts alone.',
  ],
  [
    'Who owns the mailboxes?',
    'We build on domains and mailboxes that you own.',
    'We keep ownership of the mailboxes and rent them out.',
  ],
  [
    'What happens with bad data?',
    'We remove duplicates before they cost anybody time.',
    'We sell cleaned databases to other agencies.',
  ],
  [
    'How do you write?',
    'Our messages are short, and written with your team.',
    'Our messages are recorded as videos with hired actors.',
  ],
  [
    'Which signals do you use?',
    'We pick signals such as funding, job openings and technology changes.',
    'We track phone calls and private chats of buyers.',
  ],
  [
    'What do we get every week?',
    'You get a weekly report from us with what was sent and what came back.',
    'You get a weekly visit from our consultant in person.',
  ],
  [
    'What is in your team?',
    'Our team has people for infrastructure, copy, data and strategy.',
    'Our team has lawyers, accountants and photographers.',
  ],
  [
    'How do you hand over a system?',
    'We hand the system over, and everything is opened in the client’s name.',
    'We delete the system and close every account at the end.',
  ],
];

export const TEST_PAIRS: ClaimPairs = [
  [
    'What does the chatbot do at night?',
    'Our assistant books meetings and says so when it does not know.',
    'Our assistant speaks Japanese and Korean with a human voice.',
  ],
  [
    'Can it hand over?',
    'The assistant hands the conversation over with a summary.',
    'The assistant calls the police in an emergency.',
  ],
  [
    'What about transcripts?',
    'With our assistant you read every transcript and decide what it learns next.',
    'Our assistant erases transcripts, and managers never see them.',
  ],
  [
    'Do you design?',
    'We do the conversation design in your tone of voice.',
    'We paint murals and design office furniture.',
  ],
  [
    'How do you find companies?',
    'We score every company against your ideal customer and verify every address.',
    'We knock on doors and hand out leaflets in shopping malls.',
  ],
  [
    'What about our CRM?',
    'Our leads are delivered into your CRM every day.',
    'Our software replaces your CRM with a blockchain.',
  ],
  [
    'What about the main domain?',
    'We send from other domains, so that your main domain never carries the risk.',
    'We send from hacked servers abroad, hidden from providers.',
  ],
  [
    'How do you test?',
    'We test messages in small batches before anything is scaled.',
    'We test messages on prisoners and students for weeks.',
  ],
  [
    'Who are you?',
    'We build systems that start with what a seller does in the morning.',
    'We are owned by a Danish bank and listed in London.',
  ],
  [
    'What did you do for the hotel?',
    'Our assistant for Solstrand quotes the page that it used.',
    'Our assistant for Solstrand unlocks rooms and orders taxis.',
  ],
  [
    'Havline?',
    'For Havline we stopped all outreach and separated invoices from campaigns.',
    'For Havline we bought a ship and hired divers.',
  ],
  [
    'What did Isfront get?',
    'For Isfront we wrote validation rules together with the people who type.',
    'For Isfront we organised a concert and printed shirts.',
  ],
];
