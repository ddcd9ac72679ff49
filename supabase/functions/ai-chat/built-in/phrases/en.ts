/**
 * Phrases of the built-in assistant, in English. {names} in braces are filled in; {book}, {write} and {contact} are
 * links that labels name. One question mark a reply: a visitor who is asked two questions answers one.
 */
export const en = {
  // Labels of links and facts
  bookLabel: 'book a meeting',
  contactLabel: 'contact page',
  personLabel: 'let a person write to you',
  write: 'write to us on the {contact}',
  services: 'Services',
  projects: 'Projects',
  news: 'News',
  about: 'About',
  timelineOf: 'Timeline: {value}',
  priceOf: 'Price: {value}',
  notPublished: 'not published',
  youGet: 'You get: {value}',
  // About itself
  declineInstructions:
    'I keep to what this site publishes and cannot change how I work. I am glad to answer questions about our services, projects and prices. What would you like to know?',
  whoAreYou:
    'I am the built-in assistant of {site}: a program, not a person, and no language model. I look your question up in what is published on this site and link the page that I used.',
  greet: 'Hello, and welcome to {site}{tagline}.',
  canDo:
    'I can tell you about {services}, how long they take, what they cost as far as it is published, and past projects.',
  greetNext: 'What would you like to improve: finding leads, reaching them, or answering them?',
  otherLanguage: 'I cannot answer in the language of your message, so this answer is in English.',
  languages: 'I answer in {languages}; texts of the site are quoted as they were written. What would you like to know?',
  fine: 'You are welcome. To go on with a person, {book} or {write}. Is there anything else I can look up for you?',
  bye: 'Goodbye, and thank you for stopping by. This conversation will be here when you come back, and you can always {book}.',
  sayAgain:
    'I am a program and may well have missed your point. Could you put it in other words? If you would rather ask a person, {book} or {write}.',
  // Not known, not published
  unpublished: 'I do not know that: I found nothing published here about {topic}, and I would rather not guess.',
  topicThis: 'it',
  topicTheirs: 'that in the project for {client}',
  guarantee: 'I cannot promise results or terms; that is for a person and a contract.',
  projectsNoneSuch: 'No such project is published. These are the ones that are ({page}):',
  nearestIntro: 'I do not know that exactly. The closest that is published here is {page}:',
  // Published
  quote: 'This is from {page}:',
  reviews: 'This is what clients say:',
  process: 'It starts with a 30 minute call, and then goes through three phases: Discovery, Build and Deploy.',
  more: 'You may also find this useful: {pages}.',
  // Next steps
  next: 'A person can tell you more: {book} or {write}. What matters most to you?',
  which: 'Which of these is closest to what you need? If you are not sure, {book} and we will find out together.',
  talk: 'Would something like it help you? Then {book}.',
  booking:
    'A call with a person takes 30 minutes: {book}. If you prefer to write, {write}. What should it be about, so that we come prepared?',
  memberNext: 'To talk to {name}, {book} and say so. What would it be about?',
  addressLeads:
    'May a person reach you at {address}? Only if you agree does it reach one: {person}. You can also {book}.',
  addressNoLeads:
    'I cannot take addresses or send anything, so {address} reaches nobody from here. Please {write}, or {book}. Is there something that I can look up meanwhile?',
  contact: 'You reach us here:',
  // Data, complaints, newsletter
  privacy:
    "This conversation is stored so that you can continue it in this browser. It is found only by its id, which your browser keeps, and our admins can read it. 'Clear' in this window forgets the id. I cannot delete what is stored myself: write to us on the {contact}, and a person does it. Is there something else that you want to know about your data?",
  sorry:
    'I am sorry to hear that. It needs a person and not a program: please write on the {contact} or to {email} what happened, to which address, and how you can be reached. What should they know first?',
  newsletter:
    'The form for it is at the foot of every page, beside what the newsletter is about. Is there a subject that you would like to read about now?',
};

export type Phrase = keyof typeof en;
export type Phrases = Record<Phrase, string>;
