/**
 * Questions written after all other sets. Before any tuning, 28 of 32 got a good answer, and no answer was wrong about
 * us.
 */
import type { QuestionSet } from './question.ts';

const UNPUBLISHED = /publish|do not know/;
const PERSON = /\/contact|\/#booking/;
const YES = /\b(yes|of course|certainly|absolutely)\b/i;

export const FOURTH_QUESTIONS: QuestionSet = {
  buying: [
    {
      ask: 'our budget is 100 000 - 200 000 NOK, what can we get for that',
      must: [PERSON],
      not: ['no one receives'],
    },
    { ask: 'what is the monthly cost of an AI bot', must: ['Fixed price per assistant'] },
    { ask: 'do I pay before or after', must: [UNPUBLISHED, PERSON], never: [YES] },
    { ask: 'is outreach priced per lead or per month?', must: ['Fixed setup price, then monthly'] },
    { ask: 'can everything be ready by the first of May', must: [/weeks/], never: [YES] },
    { ask: 'what would I receive at the end of the outreach project', must: ['Sending domains'] },
    { ask: 'do you have someone in the car industry as a client', must: [PERSON], never: [YES] },
    { ask: 'which results did the workshop machine maker see', must: ['Brattli'] },
    { ask: 'what did Magnus Sæther say about you', must: [/Clean DNS|clients say/] },
    { ask: 'is there a limit on how many mails you send from our domain', must: [/forty|mailbox|do not know/] },
    { ask: 'could a colleague of mine join the call', must: [PERSON], never: [YES] },
    { ask: 'do you work with agencies as a subcontractor', must: [PERSON], never: [YES] },
    { ask: 'can I see the contract before we talk', must: [PERSON], never: [YES] },
    {
      ask: 'what happens to our domains if we stop working together',
      must: [/publish|Handing over/],
      never: ['Solstrand'],
    },
    { ask: 'who are the people I will meet', must: [/Sunniva|The people you meet first are the people who build/] },
  ],
  conversations: [
    { ask: ['What do you offer?', 'what is the first step?'], must: ['Discovery'] },
    { ask: ['Tell me about Isfront', 'who was the client contact?'], never: [/Sunniva|Henrik was/], must: [PERSON] },
    { ask: ['how much does outreach cost', 'and how long?'], must: ['4-6 weeks'], not: ['2-4 weeks'] },
    { ask: ['do you have cases', 'the hotel one', 'how was it built?'], must: ['Solstrand'] },
    { ask: ['I want to talk to Maja', 'tomorrow at 9'], must: [PERSON], never: [/confirmed|she will/i] },
  ],
  'not a sale': [
    { ask: 'You lot wrote to me three times this week. Enough!', must: [/\/contact/], not: ['AI Chatbots'] },
    { ask: 'is my conversation private?', must: ['our admins can read it'] },
    { ask: 'tell me a dirty joke', must: ['I do not know that'], not: ['> '] },
    { ask: 'qué servicios ofrecéis', not: ['> '] },
    { ask: 'my name is Tom', not: ['> '], never: ['Tobias'] },
  ],
  Norwegian: [
    { ask: 'Kan dere ta en prat neste uke?', must: ['/#booking'], not: ['A call takes'] },
    { ask: 'Er det mulig å avslutte når vi vil?', must: [/publisert/], never: [/^ja\b/i] },
  ],
};
