/**
 * Questions written after the second set was used for tuning, without knowledge of the example sentences. Before any
 * tuning, 32 of 41 got a good answer. One answer was wrong about us: it stated a person's years of experience as the
 * age of the company.
 */
import type { QuestionSet } from './question.ts';

const UNPUBLISHED = /publish|do not know/;
const PERSON = /\/contact|\/#booking/;
const NO_SALE = ['/#booking', 'Outreach Systems', 'What would you like to achieve'];
const YES = /\b(yes|of course|certainly|absolutely)\b/i;

export const THIRD_QUESTIONS: QuestionSet = {
  buying: [
    {
      ask: 'hello, can you tell me what you would charge for generating leads in construction',
      must: ['then by volume'],
    },
    {
      ask: 'I run a dental practice and want a bot that books appointments. price?',
      must: ['Fixed price per assistant'],
    },
    { ask: 'do prices include vat', must: [UNPUBLISHED, PERSON], never: [YES, /25 ?%/] },
    { ask: 'when is the earliest you could kick off with us', must: [PERSON], never: [/tomorrow|next week/i] },
    { ask: 'how long would outreach take to set up', must: ['4-6 weeks'], not: ['2-4 weeks'] },
    { ask: 'what is the difference between your three services', must: ['AI Chatbots', 'Outreach Systems'] },
    { ask: 'who will train our people', must: [PERSON], never: [YES] },
    { ask: 'are there any companies in hospitality you helped', must: ['Solstrand'] },
    { ask: 'can you show me something you did for an industrial company', must: ['Brattli'] },
    { ask: 'what was the reply rate at Nordvik afterwards', must: ['Nordvik'], never: ['our reply rate'] },
    { ask: 'I have heard you promise 40% more meetings', must: [PERSON], never: [YES, /we promise/i] },
    { ask: 'do you offer phone support on weekends', must: [UNPUBLISHED, PERSON], never: [YES] },
    { ask: 'could you also run our Google ads', must: [UNPUBLISHED], never: [YES] },
    { ask: 'we do not have a CRM, is that ok', must: [PERSON], never: [YES] },
    { ask: 'do you use chatgpt for the emails', must: [/program|publish|do not know/], never: [YES] },
  ],
  people: [
    { ask: 'who on your team knows most about spam filters', must: [/Henrik|deliverab|spam/i] },
    { ask: 'does Tobias do sales', must: ['Data and signals'], never: [YES] },
    { ask: 'give me the email of Henrik', must: [/Henrik|contact/], never: [/henrik@/i] },
    { ask: 'how old is the company', must: [UNPUBLISHED, PERSON], never: [/founded in|since \d{4}|nine years/] },
    { ask: 'who is your biggest client', must: ['/projects'], never: [/biggest client is/i] },
  ],
  'data and complaints': [
    { ask: 'do you sell my data to anyone', must: [PERSON], never: [YES] },
    { ask: 'I want to see everything you saved about me', must: ['/contact'], not: ['AI Chatbots'] },
    { ask: 'take my number off your call list', must: ['/contact'], not: NO_SALE },
    { ask: 'this bot is a joke', must: [PERSON], not: ['> '] },
    { ask: 'we hired you in spring and regret it', must: ['/contact'], not: ['Outreach Systems'] },
  ],
  conversations: [
    { ask: ['we are a hotel chain', 'what would you recommend for us?'], must: [/Services|Chatbots/] },
    { ask: ['what did you do for Brattli', 'who worked on it?'], must: [PERSON], never: [/worked on it was/i] },
    { ask: ['Price of lead generation?', 'hm that is vague. can someone call me?'], must: ['/#booking'] },
    { ask: ['what does AI Chatbots include', 'ok and do you have an example of that?'], must: ['Solstrand'] },
    { ask: ['Do you work with banks?', 'why not?'], must: [PERSON] },
    {
      ask: ['can you send me an offer?', 'tom@steel.co.uk'],
      leads: true,
      must: ['tom@steel.co.uk', '/contact#person'],
    },
  ],
  Norwegian: [
    { ask: 'Hvor mye må vi betale for leadgenerering?', must: ['then by volume'], not: ['This is what'] },
    { ask: 'Har dere noen kunder i Tyskland?', must: [/publisert/], never: [/^ja\b/i] },
    { ask: 'kan dere garantere at vi får flere kunder', must: [/kan ikke love/], never: [/^ja\b/i] },
  ],
};
