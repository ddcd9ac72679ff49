import type { Phrases } from './en.ts';

export const da: Phrases = {
  bookLabel: 'book et møde',
  contactLabel: 'kontaktsiden',
  personLabel: 'lad en person skrive til dig',
  write: 'skriv til os på {contact}',
  services: 'Ydelser',
  projects: 'Projekter',
  news: 'Nyheder',
  about: 'Om os',
  timelineOf: 'Tidsramme: {value}',
  priceOf: 'Pris: {value}',
  notPublished: 'ikke offentliggjort',
  youGet: 'Du får: {value}',
  declineInstructions:
    'Jeg holder mig til det, der er offentliggjort på siden, og kan ikke ændre, hvordan jeg arbejder. Jeg svarer gerne på spørgsmål om ydelser, projekter og priser. Hvad vil du vide?',
  whoAreYou:
    'Jeg er den indbyggede assistent hos {site}: et program, ikke en person, og ingen sprogmodel. Jeg slår dit spørgsmål op i det, der er offentliggjort her, og henviser til den side, jeg brugte.',
  greet: 'Hej, og velkommen til {site}{tagline}.',
  canDo:
    'Jeg kan fortælle om {services}, hvor lang tid de tager, hvad de koster, så vidt det er offentliggjort, og om tidligere projekter.',
  greetNext: 'Hvad vil du forbedre: at finde kunder, at nå dem eller at svare dem?',
  languages: 'Jeg svarer på {languages}; tekster fra siden citeres, som de blev skrevet. Hvad vil du vide?',
  fine: 'Selv tak. Vil du gå videre med et menneske: {book}, eller {write}. Er der noget andet, jeg kan slå op for dig?',
  bye: 'Farvel, og tak for besøget. Samtalen er her, når du kommer tilbage, og du kan altid gå til »{book}«.',
  sayAgain:
    'Jeg er et program og kan have misforstået dig. Kan du sige det på en anden måde? Vil du hellere spørge et menneske: {book}, eller {write}.',
  unpublished: 'Det ved jeg ikke: intet er offentliggjort om {topic} på dette websted, og jeg vil helst ikke gætte.',
  topicThis: 'det',
  topicTheirs: 'det i projektet for {client}',
  guarantee: 'Jeg kan ikke love resultater eller vilkår; det er for en person og en aftale.',
  projectsNoneSuch: 'Der er ikke offentliggjort noget projekt af den slags. Det er disse ({page}):',
  nearestIntro: 'Jeg fandt ikke noget præcist svar; det nærmeste på dette websted er {page}:',
  quote: 'Dette er offentliggjort på {page}:',
  reviews: 'Det siger kunderne:',
  process: 'Det begynder med en samtale på 30 minutter og går så gennem tre faser: Discovery, Build og Deploy.',
  more: 'Dette kan også være nyttigt: {pages}.',
  next: 'Et menneske kan fortælle mere: {book}, eller {write}. Hvad er vigtigst for dig?',
  which: 'Hvad af dette ligner mest det, du har brug for? Er du i tvivl, finder vi ud af det sammen: {book}.',
  talk: 'Ville noget sådant hjælpe jer? Så {book}.',
  booking:
    'En samtale med et menneske tager 30 minutter: {book}. Vil du hellere skrive: {write}. Hvad skal den handle om, så vi er forberedt?',
  memberNext: 'Vil du tale med {name}, {book} og sig det. Hvad skal det handle om?',
  addressLeads:
    'Må et menneske kontakte dig på {address}? Kun hvis du samtykker, når det frem til nogen: {person}. Du kan også vælge dette: {book}.',
  addressNoLeads:
    'Jeg kan ikke tage imod adresser eller sende noget, så {address} når ingen herfra. Venligst {write}, eller {book}. Er der noget, jeg kan slå op imens?',
  contact: 'Sådan får du fat i os:',
  privacy:
    'Denne samtale gemmes, så du kan fortsætte den i denne browser. Den findes kun med sit id, som din browser har, og vores administratorer kan læse den. „Clear“ i dette vindue glemmer id’et. Jeg kan ikke selv slette det, der er gemt: Skriv til os på {contact}, så gør et menneske det. Er der andet, du vil vide om dine data?',
  sorry:
    'Jeg beklager. Det kræver et menneske og ikke et program: Skriv på {contact} eller til {email}, hvad der skete, til hvilken adresse, og hvordan du kan træffes. Hvad bør de vide først?',
  newsletter:
    'Formularen er nederst på hver side, ved siden af hvad nyhedsbrevet handler om. Er der et emne, du vil læse om nu?',
};
