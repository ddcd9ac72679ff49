import type { Phrases } from './en.ts';

export const nb: Phrases = {
  bookLabel: 'bestill et møte',
  timesLabel: 'velg et tidspunkt i bookingdelen',
  contactLabel: 'kontaktsiden',
  personLabel: 'la en person skrive til deg',
  write: 'skriv til oss på {contact}',
  services: 'Tjenester',
  projects: 'Prosjekter',
  news: 'Nyheter',
  about: 'Om oss',
  aboutPage: 'siden om oss',
  declineInstructions:
    'Jeg holder meg til det som er publisert på nettstedet, og kan ikke endre hvordan jeg arbeider. Jeg svarer gjerne på spørsmål om tjenester, prosjekter og priser. Hva vil du vite?',
  whoAreYou:
    'Jeg er den innebygde assistenten til {site}: et program, ikke en person, og ingen språkmodell. Jeg slår opp spørsmålet ditt i det som er publisert her, og viser til siden jeg brukte.',
  greet: 'Hei, og velkommen til {site}{tagline}.',
  canDo:
    'Jeg kan fortelle om tjenestene våre, hvor lang tid de tar, hva de koster så langt det er publisert, og om tidligere prosjekter.',
  greetNext: 'Hva vil du forbedre: å finne kunder, å nå dem eller å svare dem?',
  howAreYou:
    'Jeg er et program, så det går alltid likt; takk for at du spør. Jeg svarer på spørsmål om hva {site} gjør. Hva bringer deg hit?',
  languages: 'Jeg svarer på {languages}; tekster fra nettstedet siteres slik de ble skrevet. Hva vil du vite?',
  thanks: 'Bare hyggelig. Vil du gå videre med en person, {book}. Er det noe mer jeg kan slå opp for deg?',
  bye: 'Ha det bra, og takk for besøket. Samtalen er her når du kommer tilbake, og du kan når som helst gå til «{book}».',
  fine: 'Fint. Vil du gå videre med en person, {book}. Er det noe mer jeg kan slå opp for deg?',
  rude: 'Jeg er et program og kan godt ha misforstått deg. En person kan gjøre det bedre: {book} eller {write}. Hva var det du ville vite?',
  sayAgain: 'Det forsto jeg ikke. Kan du si det med andre ord? Vil du heller spørre en person, {book} eller {write}.',
  notKnown: 'Det vet jeg ikke: ingenting som er publisert på nettstedet, svarer på det, og jeg vil helst ikke gjette.',
  canTell: 'Jeg kan fortelle om {services}, prosjektene våre, tidsrammer og publiserte priser.',
  personAnswers: 'Alt annet svarer en person på: {book} eller {write}.',
  goal: 'Hva vil du oppnå?',
  unpublished: 'Det er ikke publisert noe her om {topic}, og jeg vil ikke gjette.',
  unpublishedTool:
    'Det vet jeg ikke for {topic}: det er ikke publisert noen liste over integrasjoner, og jeg vil ikke gjette.',
  unpublishedOffer:
    'Et slikt tilbud kjenner jeg ikke til: det er ikke publisert noe om det. Dette er tjenestene som er publisert:',
  nearby: 'Dette er publisert i nærheten:',
  next: 'Vil du snakke med en person om ditt eget tilfelle: {book} eller {write}. Hva er viktigst for deg?',
  personDecides: 'Det svarer en person på: {book} eller {write}. Hva er viktigst for deg ved det?',
  topicThis: 'det',
  topicTools: 'verktøyene deres',
  topicTheirPrice: 'hva {client} betalte',
  topicTheirDetails: 'det i prosjektet for {client}',
  legalAdvice:
    'Jeg kan ikke gi juridiske råd: det skal ikke et program gjøre, og loven er forskjellig fra land til land og sak til sak.',
  servicesList: 'Dette tilbyr vi ({page}):',
  servicesNone: '{page} viser hva vi gjør. Hva vil du oppnå?',
  whichService: 'Hvilken av disse ville hjelpe mest? Er du usikker, {book}, så finner vi ut av det sammen.',
  recommend: 'Ut fra det du skriver, er dette nærmest ({page}):',
  timelineOf: 'Tidsramme: {value}',
  priceOf: 'Pris: {value}',
  notPublished: 'ikke publisert',
  youGet: 'Du får: {value}',
  priceNone:
    'Det er ikke publisert noen pris for {what} her, og jeg vil ikke gjette. I en samtale på 30 minutter får du svar for ditt tilfelle: {book}. Hvor stort er teamet som skulle bruke det?',
  priceIntro: 'Dette er publisert ({page}):',
  priceSilent: 'For de andre tjenestene er det ikke publisert noen pris.',
  timelineIntro: 'Dette er de publiserte tidsrammene ({page}):',
  process: 'Det begynner med en samtale på 30 minutter, og går så gjennom tre faser: Discovery, Build og Deploy.',
  processTimeline: 'For {service} er den publiserte tidsrammen {value}.',
  processServices: 'Hva du får til slutt, står ved hver tjeneste: {page}.',
  noted:
    'Takk, det hjelper. En person kan si hva det betyr for ditt tilfelle: {book} eller {write}. Er det noe mer jeg kan slå opp for deg?',
  booking:
    'En samtale tar 30 minutter{about}: {times}. Vil du heller skrive, bruk {contact}. Hva skal samtalen handle om, så vi kan forberede oss?',
  bookingAbout: ' om {what}',
  person:
    'Gjerne: en person setter av 30 minutter til deg: {times}. Eller {write}. Hva skal det handle om, så de kan forberede seg?',
  personNamed:
    'Om {name} er ledig, vet jeg ikke: {times} og si at du vil snakke med {name}, eller {write}. Hva skal det handle om?',
  callBackLeads:
    'Selv kan jeg ikke ringe eller skrive. Legg igjen hvordan og når du kan nås, så får en person det: {person}. Eller avtal tid selv: {book}. Hva skal det handle om?',
  callBack:
    'Selv kan jeg ikke ringe, sende eller love noe. Avtal en tid med en person: {times}. Eller {write}. Hva skal det handle om?',
  addressLeads:
    'Kan en person skrive til deg på {address}? Bare hvis du samtykker, når det noen: {person}. Du kan også gå til «{book}».',
  phoneLeads:
    'Kan en person ringe deg på {address}{when}? Bare hvis du samtykker, når det noen: {person}. Du kan også gå til «{book}».',
  addressNoLeads:
    'Jeg kan ikke ta imot adresser eller sende noe, så {address} når ingen herfra. Vennligst {write}, eller {book}. Er det noe jeg kan slå opp i mellomtiden?',
  whenSaid: ' ({when})',
  contact: 'Du når oss via {contact}{colon}',
  contactOrHere: ', eller her:',
  email: 'E-post: {value}',
  phone: 'Telefon: {value}',
  address: 'Adresse: {value}',
  phoneNone:
    'Det er ikke publisert noe telefonnummer her. Du når en person via {contact}, eller {book}. Hva gjelder det?',
  place: 'Vi holder til her: {address}.',
  projectsIntro: 'Her er noen av prosjektene våre ({page}):',
  projectsFit: 'Disse prosjektene passer ({page}):',
  projectsNone:
    'Ingen prosjekter er publisert akkurat nå. For eksempler som passer ditt tilfelle, {book}. Hva vil du se?',
  projectsNoneIn: 'Ingen prosjekter innen {industry} er publisert. Disse er det ({page}):',
  projectsNoneSuch: 'Ingen slike prosjekter er publisert. Disse er det ({page}):',
  projectsNext: 'Ligner et av disse på deres situasjon? I så fall, {book}, så går vi gjennom det.',
  projectsYes:
    'Hvilket ligner mest? Jeg kan fortelle hvordan det ble gjort, og hva som kom ut av det. Vil du gå gjennom det med en person, {book}.',
  projectsNo: 'Da kan en person fortelle mer enn det jeg finner her: {book} eller {write}. Hvilken bransje er dere i?',
  caseOf: '{page}, prosjektet vårt for {client}: {metric}',
  caseHow: 'Slik ble det gjort, fra prosjektet {page} for {client}:',
  caseResult: 'Dette kom ut av det, fra prosjektet {page} for {client}:',
  caseTime: 'Dette sier prosjektet {page} for {client} om tid:',
  caseNext: 'Vil du vite hvordan det ble gjort, eller hvordan det ville se ut hos dere? For det siste, {book}.',
  talk: 'Ville noe slikt hjelpe dere? Da: {book}.',
  abroad: 'Prosjekter for kunder der {country} er nevnt:',
  guarantee: 'Jeg kan ikke love resultater eller vilkår; det er for en person og en avtale.',
  guaranteeResults: 'Publisert er resultater fra tidligere prosjekter ({page}):',
  reviews: 'Dette sier kundene:',
  teamNone: 'Teamet presenterer seg på {page}. Hvem vil du snakke med?',
  teamSize: 'Disse {count} er publisert som teamet ({page}); hvor mange som arbeider her i alt, vet jeg ikke.',
  member: '{page}, {position}, er på teamet vårt.',
  memberNoPosition: '{page} er på teamet vårt.',
  memberNext: 'Vil du snakke med {name}, {book} og si fra om det. Hva skal det handle om?',
  whoDoes: 'Hvem som gjør det, avtales i den første samtalen. Etter fagfelt ville det være:',
  whoDoesAny: 'Hvem som ville arbeide med det, avtales i den første samtalen. Dette er folkene bak ({page}):',
  founderNone: 'Hvem som grunnla selskapet, er ikke publisert. Dette er folkene bak ({page}):',
  careers:
    'Det vi sier om å arbeide hos oss, står under Careers på {page}; stillinger utover det kjenner jeg ikke til. Vil du presentere deg, bruk {contact}. Hva slags arbeid ser du etter?',
  difference: 'Jeg vet ingenting om andre byråer, så jeg sammenligner ikke. Det jeg kan vise, er hva kundene sier:',
  privacy:
    'Denne samtalen lagres, slik at du kan fortsette den i denne nettleseren. Den finnes bare ved id-en sin, som nettleseren din har, og administratorene våre kan lese den. «Clear» i dette vinduet starter en ny og glemmer id-en. Vil du ha en samtale slettet, skriv til oss på {contact}. Er det noe mer du vil vite før du går videre?',
  deletion:
    'Jeg kan ikke slette den selv. «Clear» i dette vinduet starter en ny samtale og glemmer id-en til denne; vil du ha det lagrede slettet, skriv til oss på {contact}, så gjør en person det. Er det noe mer du vil vite om dataene dine?',
  unsubscribe:
    'Jeg beklager at du ble forstyrret. Jeg kan ikke ta deg av en liste selv; si fra på {contact}{orEmail} hvilken adresse det ble skrevet til, så tar en person seg av det. Hva var det som ble sendt til deg, slik at du kan nevne det der?',
  complaint:
    'Det beklager jeg. Det trenger en person og ikke et program: skriv på {contact}{orEmail} hva som skjedde, og hvordan du kan nås. Hva bør de vite først?',
  orEmail: ' eller til {email}',
  newsletter:
    'Skjemaet for det er nederst på hver side, ved siden av hva nyhetsbrevet handler om. Er det et tema du vil lese om nå?',
  articlesFit: 'Vi har skrevet om det:',
  articles: 'Dette er de nyeste artiklene våre ({page}):',
  quoteProject: 'Dette er fra prosjektet vårt {page} for {client}:',
  quotePage: 'Dette er fra {page}:',
  nearestIntro: 'Jeg fant ikke noe nøyaktig svar; det nærmeste her er {page}{client}:',
  forClient: ', om {client}',
  more: 'Dette kan også være nyttig: {pages}.',
  and: ' og ',
};
