/**
 * English phrases of the built-in assistant. {placeholders} are filled in. {book}, {write} and {contact} are links
 * whose texts are among the labels. Each reply has at most one question mark, because visitors answer only one of two
 * questions.
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
  // About the assistant
  declineInstructions:
    'I answer only from the content of this site, and I cannot change how I work. I am glad to answer questions about our services, projects and prices. What would you like to know?',
  whoAreYou:
    'I am the built-in assistant of {site}: a program, not a person, and not a language model. I look up your question in the published content of this site and link to the page that I used.',
  greet: 'Hello, and welcome to {site}{tagline}.',
  canDo: 'I can tell you about {services}, how long they take, their prices if published, and past projects.',
  greetNext: 'What would you like to improve: finding leads, reaching them, or answering them?',
  otherLanguage: 'I cannot answer in the language of your message, so this answer is in English.',
  languages:
    'I answer in {languages}. I quote texts of the site in their original language. What would you like to know?',
  youAreWelcome:
    'You are welcome. To talk to a person, {book} or {write}. Is there anything else I can look up for you?',
  bye: 'Goodbye, and thank you for stopping by. This conversation will be here when you come back, and you can always {book}.',
  sayAgain:
    'I am a program and may have misunderstood you. Could you rephrase that? If you would rather ask a person, {book} or {write}.',
  // Unknown or unpublished
  unpublished: 'I do not know that: I found nothing published here about {topic}, and I would rather not guess.',
  topicThis: 'it',
  topicTheirs: 'that in the project for {client}',
  guarantee: 'I cannot promise results or terms. A person can agree them with you in a contract.',
  noMatchingProjects: 'No such project is published. These projects are published ({page}):',
  nearestIntro: 'I do not know that exactly. The closest text on this site is {page}:',
  // Published
  quote: 'This is from {page}:',
  reviews: 'This is what clients say:',
  process: 'It starts with a 30-minute call, followed by three phases: Discovery, Build and Deploy.',
  more: 'You may also find this useful: {pages}.',
  // Next steps
  next: 'A person can tell you more: {book} or {write}. What matters most to you?',
  which: 'Which of these is closest to what you need? If you are not sure, {book} and we will find out together.',
  talk: 'Would something like this help you? If so, {book}.',
  booking:
    'A call with a person takes 30 minutes: {book}. If you prefer to write, {write}. What should it be about, so that we can prepare?',
  memberNext: 'To talk to {name}, {book} and mention the name. What would it be about?',
  addressLeads:
    'May a person contact you at {address}? We only pass it on if you agree: {person}. You can also {book}.',
  addressNoLeads:
    'I cannot pass on contact details or send anything, so no one receives {address}. Please {write}, or {book}. Is there anything I can look up for you?',
  contact: 'You reach us here:',
  // Data, complaints, newsletter
  privacy:
    "This conversation is stored so that you can continue it in this browser. It can only be opened with its id, which your browser keeps, and our admins can read it. 'Clear' in this window deletes the id from your browser. I cannot delete the stored conversation myself. Write to us on the {contact}, and a person will delete it. Is there anything else you want to know about your data?",
  sorry:
    'I am sorry to hear that. A person should take care of this. Please write on the {contact} or to {email} what happened, which address is affected, and how we can reach you. What should they know first?',
  newsletter:
    'The sign-up form is at the bottom of every page, next to a description of the newsletter. Is there a subject that you would like to read about now?',
};

export type Phrase = keyof typeof en;
export type Phrases = Record<Phrase, string>;
