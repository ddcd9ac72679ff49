import type { Phrases } from './en.ts';

export const sv: Phrases = {
  bookLabel: 'boka ett möte',
  contactLabel: 'kontaktsidan',
  personLabel: 'låt en person skriva till dig',
  write: 'skriv till oss på {contact}',
  services: 'Tjänster',
  projects: 'Projekt',
  news: 'Nyheter',
  about: 'Om oss',
  timelineOf: 'Tidsram: {value}',
  priceOf: 'Pris: {value}',
  notPublished: 'inte publicerat',
  youGet: 'Du får: {value}',
  declineInstructions:
    'Jag håller mig till det som är publicerat på webbplatsen och kan inte ändra hur jag arbetar. Jag svarar gärna på frågor om tjänster, projekt och priser. Vad vill du veta?',
  whoAreYou:
    'Jag är den inbyggda assistenten hos {site}: ett program, ingen person och ingen språkmodell. Jag slår upp din fråga i det som är publicerat här och hänvisar till sidan som jag använde.',
  greet: 'Hej, och välkommen till {site}{tagline}.',
  canDo:
    'Jag kan berätta om {services}, hur lång tid de tar, vad de kostar så långt det är publicerat, och om tidigare projekt.',
  greetNext: 'Vad vill du förbättra: att hitta kunder, att nå dem eller att svara dem?',
  languages: 'Jag svarar på {languages}; texter från webbplatsen citeras som de skrevs. Vad vill du veta?',
  fine: 'Varsågod. Vill du gå vidare med en människa: {book}, eller {write}. Är det något mer jag kan slå upp åt dig?',
  bye: 'Hej då, och tack för besöket. Samtalet finns kvar här när du kommer tillbaka, och du kan alltid gå till ”{book}”.',
  sayAgain:
    'Jag är ett program och kan ha missförstått dig. Kan du säga det på ett annat sätt? Vill du hellre fråga en människa: {book}, eller {write}.',
  unpublished:
    'Det vet jag inte: inget är publicerat om {topic} på den här webbplatsen, och jag vill helst inte gissa.',
  topicThis: 'det',
  topicTheirs: 'det i projektet för {client}',
  guarantee: 'Jag kan inte lova resultat eller villkor; det är för en person och ett avtal.',
  projectsNoneSuch: 'Inget sådant projekt är publicerat. De här är det ({page}):',
  nearestIntro: 'Jag hittade inget exakt svar; det närmaste på den här webbplatsen är {page}:',
  quote: 'Det här är publicerat på {page}:',
  reviews: 'Det här säger kunderna:',
  process: 'Det börjar med ett samtal på 30 minuter och går sedan genom tre faser: Discovery, Build och Deploy.',
  more: 'Det här kan också vara till nytta: {pages}.',
  next: 'En människa kan berätta mer: {book}, eller {write}. Vad är viktigast för dig?',
  which: 'Vad av detta liknar mest det du behöver? Är du osäker tar vi reda på det tillsammans: {book}.',
  talk: 'Skulle något sådant hjälpa er? Då: {book}.',
  booking:
    'Ett samtal med en människa tar 30 minuter: {book}. Vill du hellre skriva: {write}. Vad ska det handla om, så att vi är förberedda?',
  memberNext: 'Vill du prata med {name}, {book} och säg det. Vad skulle det handla om?',
  addressLeads:
    'Får en människa nå dig på {address}? Bara om du samtycker når det fram till någon: {person}. Du kan också välja detta: {book}.',
  addressNoLeads:
    'Jag kan inte ta emot adresser eller skicka något, så {address} når ingen härifrån. Vänligen {write}, eller {book}. Är det något jag kan slå upp under tiden?',
  contact: 'Så når du oss:',
  privacy:
    'Det här samtalet sparas så att du kan fortsätta det i den här webbläsaren. Det hittas bara med sitt id, som din webbläsare har, och våra administratörer kan läsa det. ”Clear” i det här fönstret glömmer id:t. Jag kan inte själv radera det som är sparat: Skriv till oss på {contact}, så gör en människa det. Är det något annat du vill veta om dina uppgifter?',
  sorry:
    'Jag beklagar. Det behövs en människa och inte ett program: Skriv på {contact} eller till {email} vad som hände, till vilken adress, och hur du kan nås. Vad bör de veta först?',
  newsletter:
    'Formuläret finns längst ner på varje sida, bredvid vad nyhetsbrevet handlar om. Är det något ämne du vill läsa om nu?',
};
