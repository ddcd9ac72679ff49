import type { Phrases } from './en.ts';

export const da: Phrases = {
  bookLabel: 'book et møde',
  timesLabel: 'vælg et tidspunkt i bookingafsnittet',
  contactLabel: 'kontaktsiden',
  personLabel: 'lad en person skrive til dig',
  write: 'skriv til os på {contact}',
  services: 'Ydelser',
  projects: 'Projekter',
  news: 'Nyheder',
  about: 'Om os',
  aboutPage: 'siden om os',
  declineInstructions:
    'Jeg holder mig til det, der er offentliggjort på siden, og kan ikke ændre, hvordan jeg arbejder. Jeg svarer gerne på spørgsmål om ydelser, projekter og priser. Hvad vil du vide?',
  whoAreYou:
    'Jeg er den indbyggede assistent hos {site}: et program, ikke en person, og ingen sprogmodel. Jeg slår dit spørgsmål op i det, der er offentliggjort her, og henviser til den side, jeg brugte.',
  greet: 'Hej, og velkommen til {site}{tagline}.',
  canDo:
    'Jeg kan fortælle om vores ydelser, hvor lang tid de tager, hvad de koster, så vidt det er offentliggjort, og om tidligere projekter.',
  greetNext: 'Hvad vil du forbedre: at finde kunder, at nå dem eller at svare dem?',
  howAreYou:
    'Jeg er et program, så det går altid ens; tak, fordi du spørger. Jeg svarer på spørgsmål om, hvad {site} laver. Hvad bringer dig hertil?',
  languages: 'Jeg svarer på {languages}; tekster fra siden citeres, som de blev skrevet. Hvad vil du vide?',
  thanks: 'Det var så lidt. Vil du gå videre med en person, {book}. Er der andet, jeg kan slå op for dig?',
  bye: 'Farvel, og tak for besøget. Samtalen er her, når du kommer tilbage, og du kan altid gå til »{book}«.',
  fine: 'Fint. Vil du gå videre med en person, {book}. Er der andet, jeg kan slå op for dig?',
  rude: 'Jeg er et program og kan sagtens have misforstået dig. En person kan gøre det bedre: {book} eller {write}. Hvad var det, du ville vide?',
  sayAgain:
    'Det forstod jeg ikke. Kan du sige det med andre ord? Vil du hellere spørge en person, {book} eller {write}.',
  notKnown: 'Det ved jeg ikke: intet, der er offentliggjort på siden, svarer på det, og jeg vil helst ikke gætte.',
  canTell: 'Jeg kan fortælle om {services}, vores projekter, tidsrammer og offentliggjorte priser.',
  personAnswers: 'Alt andet svarer en person på: {book} eller {write}.',
  goal: 'Hvad vil du opnå?',
  unpublished: 'Der er ikke offentliggjort noget her om {topic}, og jeg vil ikke gætte.',
  unpublishedTool:
    'Det ved jeg ikke for {topic}: der er ikke offentliggjort nogen liste over integrationer, og jeg vil ikke gætte.',
  unpublishedOffer:
    'Sådan et tilbud kender jeg ikke: der er ikke offentliggjort noget om det. Disse ydelser er offentliggjort:',
  nearby: 'Dette er offentliggjort i nærheden:',
  next: 'Vil du tale med en person om din egen sag: {book} eller {write}. Hvad er vigtigst for dig?',
  personDecides: 'Det svarer en person på: {book} eller {write}. Hvad er vigtigst for dig ved det?',
  topicThis: 'det',
  topicTools: 'jeres værktøjer',
  topicTheirPrice: 'hvad {client} betalte',
  topicTheirDetails: 'det i projektet for {client}',
  legalAdvice:
    'Jeg kan ikke give juridisk rådgivning: det skal et program ikke, og loven er forskellig fra land til land og sag til sag.',
  servicesList: 'Dette tilbyder vi ({page}):',
  servicesNone: '{page} viser, hvad vi laver. Hvad vil du opnå?',
  whichService: 'Hvilken af dem ville hjælpe mest? Er du usikker, {book}, så finder vi ud af det sammen.',
  recommend: 'Ud fra det, du skriver, er dette tættest på ({page}):',
  timelineOf: 'Tidsramme: {value}',
  priceOf: 'Pris: {value}',
  notPublished: 'ikke offentliggjort',
  youGet: 'Du får: {value}',
  priceNone:
    'Der er ikke offentliggjort nogen pris for {what} her, og jeg vil ikke gætte. I en samtale på 30 minutter får du svar for din sag: {book}. Hvor stort er det hold, der skal bruge det?',
  priceIntro: 'Dette er offentliggjort ({page}):',
  priceSilent: 'For de andre ydelser er der ikke offentliggjort nogen pris.',
  timelineIntro: 'Dette er de offentliggjorte tidsrammer ({page}):',
  process: 'Det begynder med en samtale på 30 minutter og går så gennem tre faser: Discovery, Build og Deploy.',
  processTimeline: 'For {service} er den offentliggjorte tidsramme {value}.',
  processServices: 'Hvad du får til sidst, står ved hver ydelse: {page}.',
  noted:
    'Tak, det hjælper. En person kan sige, hvad det betyder for din sag: {book} eller {write}. Er der andet, jeg kan slå op for dig?',
  booking:
    'En samtale tager 30 minutter{about}: {times}. Vil du hellere skrive, så brug {contact}. Hvad skal samtalen handle om, så vi kan forberede os?',
  bookingAbout: ' om {what}',
  person:
    'Gerne: en person sætter 30 minutter af til dig: {times}. Eller {write}. Hvad skal det handle om, så de kan forberede sig?',
  personNamed:
    'Om {name} er ledig, ved jeg ikke: {times} og sig, at du vil tale med {name}, eller {write}. Hvad skal det handle om?',
  callBackLeads:
    'Selv kan jeg ikke ringe eller skrive. Angiv, hvordan og hvornår du kan nås, så får en person det: {person}. Eller aftal selv en tid: {book}. Hvad skal det handle om?',
  callBack:
    'Selv kan jeg ikke ringe, sende eller love noget. Aftal en tid med en person: {times}. Eller {write}. Hvad skal det handle om?',
  addressLeads:
    'Må en person skrive til dig på {address}? Kun hvis du samtykker, når det nogen: {person}. Du kan også gå til »{book}«.',
  phoneLeads:
    'Må en person ringe til dig på {address}{when}? Kun hvis du samtykker, når det nogen: {person}. Du kan også gå til »{book}«.',
  addressNoLeads:
    'Jeg kan ikke tage imod adresser eller sende noget, så {address} når ingen herfra. Venligst {write}, eller {book}. Er der noget, jeg kan slå op imens?',
  whenSaid: ' ({when})',
  contact: 'Du når os via {contact}{colon}',
  contactOrHere: ', eller her:',
  email: 'E-mail: {value}',
  phone: 'Telefon: {value}',
  address: 'Adresse: {value}',
  phoneNone:
    'Der er ikke offentliggjort noget telefonnummer her. Du når en person via {contact}, eller {book}. Hvad drejer det sig om?',
  place: 'Vi holder til her: {address}.',
  projectsIntro: 'Her er nogle af vores projekter ({page}):',
  projectsFit: 'Disse projekter passer ({page}):',
  projectsNone:
    'Der er ingen projekter offentliggjort lige nu. For eksempler, der passer til din sag, {book}. Hvad vil du se?',
  projectsNoneIn: 'Der er ikke offentliggjort noget projekt inden for {industry}. Det er disse ({page}):',
  projectsNoneSuch: 'Der er ikke offentliggjort noget projekt af den slags. Det er disse ({page}):',
  projectsNext: 'Ligner et af dem jeres situation? I så fald, {book}, så gennemgår vi det.',
  projectsYes:
    'Hvilket ligner mest? Jeg kan fortælle, hvordan det blev gjort, og hvad der kom ud af det. Vil du gennemgå det med en person, {book}.',
  projectsNo: 'Så kan en person fortælle mere, end jeg finder her: {book} eller {write}. Hvilken branche er I i?',
  caseOf: '{page}, vores projekt for {client}: {metric}',
  caseHow: 'Sådan blev det gjort, fra projektet {page} for {client}:',
  caseResult: 'Det kom der ud af det, fra projektet {page} for {client}:',
  caseTime: 'Det siger projektet {page} for {client} om tid:',
  caseNext: 'Vil du vide, hvordan det blev gjort, eller hvordan det ville se ud hos jer? For det sidste, {book}.',
  talk: 'Ville noget sådant hjælpe jer? Så {book}.',
  abroad: 'Projekter for kunder, hvor {country} er nævnt:',
  guarantee: 'Jeg kan ikke love resultater eller vilkår; det er for en person og en aftale.',
  guaranteeResults: 'Offentliggjort er resultater fra tidligere projekter ({page}):',
  reviews: 'Det siger kunderne:',
  teamNone: 'Holdet præsenterer sig på {page}. Hvem vil du tale med?',
  teamSize: 'Disse {count} er offentliggjort som holdet ({page}); hvor mange der arbejder her i alt, ved jeg ikke.',
  member: '{page}, {position}, er på vores hold.',
  memberNoPosition: '{page} er på vores hold.',
  memberNext: 'Vil du tale med {name}, {book} og sig det. Hvad skal det handle om?',
  whoDoes: 'Hvem der gør det, aftales i den første samtale. Efter fagområde ville det være:',
  whoDoesAny: 'Hvem der ville arbejde på det, aftales i den første samtale. Det er folkene bag ({page}):',
  founderNone: 'Hvem der grundlagde virksomheden, er ikke offentliggjort. Det er folkene bag ({page}):',
  careers:
    'Det, vi siger om at arbejde hos os, står under Careers på {page}; stillinger derudover kender jeg ikke til. Vil du præsentere dig, så brug {contact}. Hvilken slags arbejde søger du?',
  difference: 'Jeg ved intet om andre bureauer, så jeg sammenligner ikke. Det, jeg kan vise, er, hvad kunderne siger:',
  privacy:
    'Denne samtale gemmes, så du kan fortsætte den i denne browser. Den findes kun ved sit id, som din browser har, og vores administratorer kan læse den. »Clear« i dette vindue begynder en ny og glemmer id’et. Vil du have en samtale slettet, så skriv til os på {contact}. Er der andet, du vil vide, før du går videre?',
  deletion:
    'Jeg kan ikke slette den selv. »Clear« i dette vindue begynder en ny samtale og glemmer id’et på denne; vil du have det gemte slettet, så skriv til os på {contact}, og en person gør det. Er der andet, du vil vide om dine data?',
  unsubscribe:
    'Jeg beklager, at du blev forstyrret. Jeg kan ikke selv tage dig af en liste; sig på {contact}{orEmail}, hvilken adresse der blev skrevet til, så tager en person sig af det. Hvad var det, der blev sendt til dig, så du kan nævne det der?',
  complaint:
    'Det beklager jeg. Det kræver en person og ikke et program: skriv på {contact}{orEmail}, hvad der skete, og hvordan du kan nås. Hvad bør de vide først?',
  orEmail: ' eller til {email}',
  newsletter:
    'Formularen er nederst på hver side, ved siden af hvad nyhedsbrevet handler om. Er der et emne, du vil læse om nu?',
  articlesFit: 'Vi har skrevet om det:',
  articles: 'Det er vores nyeste artikler ({page}):',
  quoteProject: 'Dette er fra vores projekt {page} for {client}:',
  quotePage: 'Dette er fra {page}:',
  nearestIntro: 'Jeg fandt intet præcist svar; det nærmeste her er {page}{client}:',
  forClient: ', om {client}',
  more: 'Dette kan også være nyttigt: {pages}.',
  and: ' og ',
};
