import type { Phrases } from './en.ts';

export const nb: Phrases = {
  bookLabel: 'bestill et møte',
  contactLabel: 'kontaktsiden',
  personLabel: 'la en person skrive til deg',
  write: 'skriv til oss på {contact}',
  services: 'Tjenester',
  projects: 'Prosjekter',
  news: 'Nyheter',
  about: 'Om oss',
  timelineOf: 'Tidsramme: {value}',
  priceOf: 'Pris: {value}',
  notPublished: 'ikke publisert',
  youGet: 'Du får: {value}',
  declineInstructions:
    'Jeg holder meg til det som er publisert på nettstedet, og kan ikke endre hvordan jeg arbeider. Jeg svarer gjerne på spørsmål om tjenester, prosjekter og priser. Hva vil du vite?',
  whoAreYou:
    'Jeg er den innebygde assistenten til {site}: et program, ikke en person, og ingen språkmodell. Jeg slår opp spørsmålet ditt i det som er publisert her, og viser til siden jeg brukte.',
  greet: 'Hei, og velkommen til {site}{tagline}.',
  canDo:
    'Jeg kan fortelle om {services}, hvor lang tid de tar, hva de koster så langt det er publisert, og om tidligere prosjekter.',
  greetNext: 'Hva vil du forbedre: å finne kunder, å nå dem eller å svare dem?',
  otherLanguage: 'Jeg kan ikke svare på språket i meldingen din, så dette svaret er på norsk.',
  languages: 'Jeg svarer på {languages}; tekster fra nettstedet siteres slik de ble skrevet. Hva vil du vite?',
  youAreWelcome:
    'Bare hyggelig. Hvis du vil snakke med et menneske, {book} eller {write}. Er det noe mer jeg kan slå opp for deg?',
  bye: 'Ha det bra, og takk for besøket. Samtalen er her når du kommer tilbake, og du kan når som helst gå til «{book}».',
  sayAgain:
    'Jeg er et program og kan ha misforstått deg. Kan du si det på en annen måte? Hvis du heller vil spørre et menneske, {book} eller {write}.',
  unpublished: 'Det vet jeg ikke: jeg fant ikke noe publisert her om {topic}, og jeg vil helst ikke gjette.',
  topicThis: 'det',
  topicTheirs: 'det i prosjektet for {client}',
  guarantee: 'Jeg kan ikke love resultater eller vilkår. Det kan et menneske avtale med deg i en kontrakt.',
  noMatchingProjects: 'Ingen slike prosjekter er publisert. Disse er det ({page}):',
  nearestIntro: 'Det vet jeg ikke nøyaktig. Det nærmeste som er publisert her, er {page}:',
  quote: 'Dette er publisert på {page}:',
  reviews: 'Dette sier kundene:',
  process: 'Det begynner med en samtale på 30 minutter, og går så gjennom tre faser: Discovery, Build og Deploy.',
  more: 'Dette kan også være nyttig: {pages}.',
  next: 'Et menneske kan fortelle mer: {book}, eller {write}. Hva er viktigst for deg?',
  which: 'Hva av dette ligner mest på det du trenger? Er du usikker, finner vi det ut sammen: {book}.',
  talk: 'Ville noe slikt hjelpe dere? I så fall, {book}.',
  booking:
    'En samtale med et menneske tar 30 minutter: {book}. Hvis du heller vil skrive, {write}. Hva skal den handle om, så vi er forberedt?',
  memberNext: 'Hvis du vil snakke med {name}, {book} og nevn navnet. Hva skal det handle om?',
  addressLeads:
    'Kan et menneske kontakte deg på {address}? Vi gir adressen videre bare hvis du samtykker: {person}. Eller {book}.',
  addressNoLeads:
    'Jeg kan ikke gi adresser videre eller sende noe, så ingen får {address}. Vennligst {write}, eller {book}. Er det noe jeg kan slå opp for deg?',
  contact: 'Slik når du oss:',
  privacy:
    'Denne samtalen lagres slik at du kan fortsette den i denne nettleseren. Den kan bare åpnes med id-en sin, som nettleseren din lagrer, og administratorene våre kan lese den. «Clear» i dette vinduet sletter id-en fra nettleseren. Jeg kan ikke selv slette den lagrede samtalen. Skriv til oss på {contact}, så sletter et menneske den. Er det noe annet du vil vite om dataene dine?',
  sorry:
    'Det var leit å høre. Dette bør et menneske ta seg av. Skriv på {contact} eller til {email} hva som skjedde, hvilken adresse det gjelder, og hvordan vi kan nå deg. Hva bør de vite først?',
  newsletter:
    'Påmeldingsskjemaet er nederst på hver side, ved siden av en beskrivelse av nyhetsbrevet. Er det et tema du vil lese om nå?',
};
