/**
 * Phrases of the built-in assistant, in English. {names} in braces are filled in; {book}, {write} and {contact} are
 * links that labels.ts names. One question mark a reply: a visitor who is asked two questions answers one.
 */
export const en = {
  // Labels of links
  bookLabel: 'book a meeting',
  timesLabel: 'choose a time in the booking section',
  contactLabel: 'contact page',
  personLabel: 'let a person write to you',
  write: 'write to us on the {contact}',
  services: 'Services',
  projects: 'Projects',
  news: 'News',
  about: 'About',
  aboutPage: 'About page',
  // About itself
  declineInstructions:
    'I keep to what this site publishes and cannot change how I work. I am glad to answer questions about our services, projects and prices. What would you like to know?',
  whoAreYou:
    'I am the built-in assistant of {site}: a program, not a person, and no language model. I look your question up in what is published on this site and link the page that I used.',
  greet: 'Hello, and welcome to {site}{tagline}.',
  canDo:
    'I can tell you about our services, how long they take, what they cost as far as it is published, and past projects.',
  greetNext: 'What would you like to improve: finding leads, reaching them, or answering them?',
  howAreYou:
    'I am a program, so always the same; thank you for asking. I answer questions about what {site} does. What brings you here?',
  languages: 'I answer in {languages}; texts of the site are quoted as they were written. What would you like to know?',
  thanks: 'You are welcome. If you want to go on with a person, {book}. Is there anything else I can look up for you?',
  bye: 'Goodbye, and thank you for stopping by. This conversation will be here when you come back, and you can always {book}.',
  fine: 'Good. If you want to go on with a person, {book}. Is there anything else I can look up for you?',
  rude: 'I am a program and may well have missed your point. A person can do better: {book} or {write}. What was it that you wanted to know?',
  sayAgain:
    'I did not understand that. Could you put it in other words? If you would rather ask a person, {book} or {write}.',
  // Not known, not published
  notKnown: 'I do not know that: nothing published on this site answers it, and I would rather not guess.',
  canTell: 'I can tell you about {services}, our projects, timelines and published prices.',
  personAnswers: 'For anything else, a person answers: {book} or {write}.',
  goal: 'What would you like to achieve?',
  unpublished: 'Nothing is published on this site about {topic}, and I will not guess.',
  unpublishedTool: 'I do not know that for {topic}: no list of integrations is published, and I will not guess.',
  unpublishedOffer:
    'I do not know of such an offer: nothing is published about it. What is published are these services:',
  nearby: 'What is published nearby:',
  next: 'To talk about your own case with a person, {book} or {write}. What matters most to you?',
  personDecides: 'That is for a person to answer: {book} or {write}. What matters most to you about it?',
  // Topics of which nothing may be published
  topicThis: 'that',
  topicTools: 'your tools',
  topicTheirPrice: 'what {client} paid',
  topicTheirDetails: 'that in the project for {client}',
  legalAdvice: 'I cannot give legal advice: a program must not, and the law differs by country and case.',
  // Services, prices, time
  servicesList: 'This is what we offer ({page}):',
  servicesNone: 'The {page} shows what we do. What would you like to achieve?',
  whichService: 'Which of these would help you most? If you are not sure, {book} and we will find out together.',
  recommend: 'From what you say, this is the closest ({page}):',
  timelineOf: 'Timeline: {value}',
  priceOf: 'Price: {value}',
  notPublished: 'not published',
  youGet: 'You get: {value}',
  priceNone:
    'No price is published for {what} on this site, and I will not guess one. In a 30 minute call you get an answer for your case: {book}. How large is the team that would use it?',
  priceIntro: 'Our published prices ({page}):',
  priceSilent: 'For the other services no price is published.',
  timelineIntro: 'These are the published timelines ({page}):',
  process: 'It starts with a 30 minute call, and then goes through three phases: Discovery, Build and Deploy.',
  processTimeline: 'For {service} the published timeline is {value}.',
  processServices: 'What you get at the end is listed with each service on the {page}.',
  noted:
    'Thank you, that helps. A person can say what it means for your case: {book} or {write}. Is there anything else I can look up for you?',
  // A person
  booking:
    'A call takes 30 minutes{about}: {times}. If you prefer to write, use the {contact}. What should the call be about, so that we come prepared?',
  bookingAbout: ' about {what}',
  person:
    'Gladly: a person takes 30 minutes for you: {times}. Or {write}. What should it be about, so that they come prepared?',
  personNamed:
    'Whether {name} is free I do not know: {times} and say that you would like to talk to {name}, or {write}. What should it be about?',
  callBackLeads:
    'I cannot call or write myself. Leave how and when you can be reached, and a person gets it: {person}. Or fix a time yourself: {book}. What should it be about?',
  callBack:
    'I cannot call, send or promise anything myself. Fix a time with a person: {times}. Or {write}. What should it be about?',
  addressLeads:
    'May a person write to you at {address}? Only if you agree does it reach one: {person}. You can also {book}.',
  phoneLeads:
    'May a person call you at {address}{when}? Only if you agree does it reach one: {person}. You can also {book}.',
  addressNoLeads:
    'I cannot take addresses or send anything, so {address} reaches nobody from here. Please {write}, or {book}. Is there something that I can look up meanwhile?',
  whenSaid: ' ({when})',
  contact: 'You reach us through the {contact}{colon}',
  contactOrHere: ', or here:',
  email: 'Email: {value}',
  phone: 'Phone: {value}',
  address: 'Address: {value}',
  phoneNone:
    'No phone number is published here. You reach a person through the {contact}, or {book}. May I ask what it is about?',
  place: 'We are here: {address}.',
  // Projects and what clients say
  projectsIntro: 'These are some of our projects ({page}):',
  projectsFit: 'These are the projects that fit ({page}):',
  projectsNone:
    'No projects are published right now. For examples that fit your case, {book}. What would you like to see?',
  projectsNoneIn: 'No project for {industry} is published. These are the ones that are ({page}):',
  projectsNoneSuch: 'No such project is published. These are the ones that are ({page}):',
  projectsNext: 'Does one of these resemble your situation? If so, {book} and we will go through it.',
  projectsYes:
    'Which one resembles it most? I can tell you how it was done and what came of it. To go through it with a person, {book}.',
  projectsNo: 'Then a person can tell you more than I can find here: {book} or {write}. Which industry are you in?',
  caseOf: '{page}, our project for {client}: {metric}',
  caseHow: 'This is how it was done, from our project {page} for {client}:',
  caseResult: 'This is what came of it, from our project {page} for {client}:',
  caseTime: 'This is what our project {page} for {client} says about time:',
  caseNext: 'Do you want to know how it was done, or how it would look for you? For the second, {book}.',
  talk: 'Would something like it help you? Then {book}.',
  abroad: 'Projects of clients that mention {country}:',
  guarantee: 'I cannot promise results or terms; that is for a person and a contract.',
  guaranteeResults: 'What is published are results of past projects ({page}):',
  reviews: 'This is what clients say:',
  // People and the company
  teamNone: 'The team introduces itself on the {page}. Whom would you like to talk to?',
  teamSize: 'These {count} people are published as the team ({page}); how many work here in all I do not know.',
  member: '{page}, {position}, is on our team.',
  memberNoPosition: '{page} is on our team.',
  memberNext: 'To talk to {name}, {book} and say so. What would it be about?',
  whoDoes: 'Who does it is settled in the first call. By their field, it would be:',
  whoDoesAny: 'Who would work on it is settled in the first call. These are the people behind the work ({page}):',
  founderNone: 'Who founded the company is not published. These are the people behind the work ({page}):',
  careers:
    'What we say about working with us is in the Careers section of our {page}; I know of no openings beyond it. To introduce yourself, use the {contact}. What kind of work are you looking for?',
  difference: 'I know nothing about other agencies, so I do not compare. What I can show is what clients say:',
  // Data, complaints, newsletter
  privacy:
    "This conversation is stored so that you can continue it in this browser. It is found only by its id, which your browser keeps, and our admins can read it. 'Clear' in this window starts a new one and forgets the id. To have a conversation deleted, write to us on the {contact}. Is there anything else you want to know before you go on?",
  deletion:
    "I cannot delete it myself. 'Clear' in this window starts a new conversation and forgets the id of this one; to have what is stored deleted, write to us on the {contact}, and a person does it. Is there something else that you want to know about your data?",
  unsubscribe:
    'I am sorry that you were bothered. I cannot take you off a list myself; please tell us the address that was written to on the {contact}{orEmail}, and a person will see to it. May I know what was sent to you, so that you can name it there?',
  complaint:
    'I am sorry to hear that. It needs a person and not a program: please write on the {contact}{orEmail} what happened and how you can be reached. What should they know first?',
  orEmail: ' or to {email}',
  newsletter:
    'The form for it is at the foot of every page, beside what the newsletter is about. Is there a subject that you would like to read about now?',
  // Articles and quotes
  articlesFit: 'We wrote about that:',
  articles: 'These are our latest articles ({page}):',
  quoteProject: 'This is from our project {page} for {client}:',
  quotePage: 'This is from {page}:',
  nearestIntro: 'I found no exact answer; the closest on this site is {page}{client}:',
  forClient: ', about {client}',
  more: 'You may also find this useful: {pages}.',
  and: ' and ',
};

export type Phrase = keyof typeof en;
export type Phrases = Record<Phrase, string>;
