import type { Phrases } from './en.ts';

export const sv: Phrases = {
  bookLabel: 'boka ett möte',
  timesLabel: 'välj en tid i bokningsdelen',
  contactLabel: 'kontaktsidan',
  personLabel: 'låt en person skriva till dig',
  write: 'skriv till oss på {contact}',
  services: 'Tjänster',
  projects: 'Projekt',
  news: 'Nyheter',
  about: 'Om oss',
  aboutPage: 'sidan om oss',
  declineInstructions:
    'Jag håller mig till det som är publicerat på webbplatsen och kan inte ändra hur jag arbetar. Jag svarar gärna på frågor om tjänster, projekt och priser. Vad vill du veta?',
  whoAreYou:
    'Jag är den inbyggda assistenten hos {site}: ett program, ingen person och ingen språkmodell. Jag slår upp din fråga i det som är publicerat här och hänvisar till sidan som jag använde.',
  greet: 'Hej, och välkommen till {site}{tagline}.',
  canDo:
    'Jag kan berätta om våra tjänster, hur lång tid de tar, vad de kostar så långt det är publicerat, och om tidigare projekt.',
  greetNext: 'Vad vill du förbättra: att hitta kunder, att nå dem eller att svara dem?',
  howAreYou:
    'Jag är ett program, så det är alltid likadant; tack för att du frågar. Jag svarar på frågor om vad {site} gör. Vad för dig hit?',
  languages: 'Jag svarar på {languages}; texter från webbplatsen citeras som de skrevs. Vad vill du veta?',
  thanks: 'Varsågod. Vill du gå vidare med en person, {book}. Är det något mer jag kan slå upp åt dig?',
  bye: 'Hej då, och tack för besöket. Samtalet finns kvar här när du kommer tillbaka, och du kan alltid gå till ”{book}”.',
  fine: 'Bra. Vill du gå vidare med en person, {book}. Är det något mer jag kan slå upp åt dig?',
  rude: 'Jag är ett program och kan mycket väl ha missförstått dig. En person kan göra det bättre: {book} eller {write}. Vad var det du ville veta?',
  sayAgain:
    'Det förstod jag inte. Kan du säga det med andra ord? Vill du hellre fråga en person, {book} eller {write}.',
  notKnown: 'Det vet jag inte: inget som är publicerat på webbplatsen svarar på det, och jag vill helst inte gissa.',
  canTell: 'Jag kan berätta om {services}, våra projekt, tidsramar och publicerade priser.',
  personAnswers: 'Allt annat svarar en person på: {book} eller {write}.',
  goal: 'Vad vill du uppnå?',
  unpublished: 'Det är inget publicerat här om {topic}, och jag vill inte gissa.',
  unpublishedTool:
    'Det vet jag inte för {topic}: det är ingen lista över integrationer publicerad, och jag vill inte gissa.',
  unpublishedOffer:
    'Ett sådant erbjudande känner jag inte till: inget är publicerat om det. De här tjänsterna är publicerade:',
  nearby: 'Det här är publicerat i närheten:',
  next: 'Vill du prata med en person om ditt eget fall: {book} eller {write}. Vad är viktigast för dig?',
  personDecides: 'Det svarar en person på: {book} eller {write}. Vad är viktigast för dig med det?',
  topicThis: 'det',
  topicTools: 'era verktyg',
  topicTheirPrice: 'vad {client} betalade',
  topicTheirDetails: 'det i projektet för {client}',
  legalAdvice:
    'Jag kan inte ge juridisk rådgivning: det ska inte ett program göra, och lagen skiljer sig mellan länder och fall.',
  servicesList: 'Det här erbjuder vi ({page}):',
  servicesNone: '{page} visar vad vi gör. Vad vill du uppnå?',
  whichService: 'Vilken av dem skulle hjälpa mest? Är du osäker, {book}, så tar vi reda på det tillsammans.',
  recommend: 'Av det du skriver är det här närmast ({page}):',
  timelineOf: 'Tidsram: {value}',
  priceOf: 'Pris: {value}',
  notPublished: 'inte publicerat',
  youGet: 'Du får: {value}',
  priceNone:
    'Det är inget pris publicerat för {what} här, och jag vill inte gissa. I ett samtal på 30 minuter får du svar för ditt fall: {book}. Hur stort är teamet som skulle använda det?',
  priceIntro: 'Det här är publicerat ({page}):',
  priceSilent: 'För de andra tjänsterna är inget pris publicerat.',
  timelineIntro: 'Det här är de publicerade tidsramarna ({page}):',
  process: 'Det börjar med ett samtal på 30 minuter och går sedan genom tre faser: Discovery, Build och Deploy.',
  processTimeline: 'För {service} är den publicerade tidsramen {value}.',
  processServices: 'Vad du får till slut står vid varje tjänst: {page}.',
  noted:
    'Tack, det hjälper. En person kan säga vad det betyder för ditt fall: {book} eller {write}. Är det något mer jag kan slå upp åt dig?',
  booking:
    'Ett samtal tar 30 minuter{about}: {times}. Vill du hellre skriva, använd {contact}. Vad ska samtalet handla om, så att vi kan förbereda oss?',
  bookingAbout: ' om {what}',
  person:
    'Gärna: en person tar sig 30 minuter för dig: {times}. Eller {write}. Vad ska det handla om, så att de kan förbereda sig?',
  personNamed:
    'Om {name} är ledig vet jag inte: {times} och säg att du vill prata med {name}, eller {write}. Vad ska det handla om?',
  callBackLeads:
    'Själv kan jag inte ringa eller skriva. Lämna hur och när du kan nås, så får en person det: {person}. Eller bestäm en tid själv: {book}. Vad ska det handla om?',
  callBack:
    'Själv kan jag inte ringa, skicka eller lova något. Bestäm en tid med en person: {times}. Eller {write}. Vad ska det handla om?',
  addressLeads:
    'Får en person skriva till dig på {address}? Bara om du samtycker når det någon: {person}. Du kan också gå till ”{book}”.',
  phoneLeads:
    'Får en person ringa dig på {address}{when}? Bara om du samtycker når det någon: {person}. Du kan också gå till ”{book}”.',
  addressNoLeads:
    'Jag kan inte ta emot adresser eller skicka något, så {address} når ingen härifrån. Vänligen {write}, eller {book}. Är det något jag kan slå upp under tiden?',
  whenSaid: ' ({when})',
  contact: 'Du når oss via {contact}{colon}',
  contactOrHere: ', eller här:',
  email: 'E-post: {value}',
  phone: 'Telefon: {value}',
  address: 'Adress: {value}',
  phoneNone: 'Det är inget telefonnummer publicerat här. Du når en person via {contact}, eller {book}. Vad gäller det?',
  place: 'Vi finns här: {address}.',
  projectsIntro: 'Det här är några av våra projekt ({page}):',
  projectsFit: 'De här projekten passar ({page}):',
  projectsNone: 'Inga projekt är publicerade just nu. För exempel som passar ditt fall, {book}. Vad vill du se?',
  projectsNoneIn: 'Inget projekt inom {industry} är publicerat. De här är det ({page}):',
  projectsNoneSuch: 'Inget sådant projekt är publicerat. De här är det ({page}):',
  projectsNext: 'Liknar något av dem er situation? I så fall, {book}, så går vi igenom det.',
  projectsYes:
    'Vilket liknar mest? Jag kan berätta hur det gjordes och vad som kom ut av det. Vill du gå igenom det med en person, {book}.',
  projectsNo: 'Då kan en person berätta mer än jag hittar här: {book} eller {write}. Vilken bransch är ni i?',
  caseOf: '{page}, vårt projekt för {client}: {metric}',
  caseHow: 'Så här gjordes det, från projektet {page} för {client}:',
  caseResult: 'Det här kom ut av det, från projektet {page} för {client}:',
  caseTime: 'Det här säger projektet {page} för {client} om tid:',
  caseNext: 'Vill du veta hur det gjordes, eller hur det skulle se ut hos er? För det senare, {book}.',
  talk: 'Skulle något sådant hjälpa er? Då: {book}.',
  abroad: 'Projekt för kunder där {country} nämns:',
  guarantee: 'Jag kan inte lova resultat eller villkor; det är för en person och ett avtal.',
  guaranteeResults: 'Publicerat är resultat från tidigare projekt ({page}):',
  reviews: 'Det här säger kunderna:',
  teamNone: 'Teamet presenterar sig på {page}. Vem vill du prata med?',
  teamSize: 'De här {count} är publicerade som teamet ({page}); hur många som arbetar här totalt vet jag inte.',
  member: '{page}, {position}, är med i vårt team.',
  memberNoPosition: '{page} är med i vårt team.',
  memberNext: 'Vill du prata med {name}, {book} och säg det. Vad skulle det handla om?',
  whoDoes: 'Vem som gör det bestäms i det första samtalet. Efter område skulle det vara:',
  whoDoesAny: 'Vem som skulle arbeta med det bestäms i det första samtalet. Det här är människorna bakom ({page}):',
  founderNone: 'Vem som grundade företaget är inte publicerat. Det här är människorna bakom ({page}):',
  careers:
    'Det vi säger om att arbeta hos oss står under Careers på {page}; tjänster utöver det känner jag inte till. Vill du presentera dig, använd {contact}. Vilken sorts arbete söker du?',
  difference: 'Jag vet inget om andra byråer, så jag jämför inte. Det jag kan visa är vad kunderna säger:',
  privacy:
    'Det här samtalet sparas så att du kan fortsätta det i den här webbläsaren. Det hittas bara genom sitt id, som din webbläsare har, och våra administratörer kan läsa det. ”Clear” i det här fönstret börjar ett nytt och glömmer id:t. Vill du få ett samtal raderat, skriv till oss på {contact}. Är det något mer du vill veta innan du går vidare?',
  deletion:
    'Jag kan inte radera det själv. ”Clear” i det här fönstret börjar ett nytt samtal och glömmer det här samtalets id; vill du få det sparade raderat, skriv till oss på {contact}, så gör en person det. Är det något mer du vill veta om dina uppgifter?',
  unsubscribe:
    'Jag beklagar att du blev störd. Jag kan inte ta bort dig från en lista själv; säg på {contact}{orEmail} vilken adress som fick utskicket, så ser en person till det. Vad var det som skickades till dig, så att du kan nämna det där?',
  complaint:
    'Jag beklagar det. Det behöver en person och inte ett program: skriv på {contact}{orEmail} vad som hände och hur du kan nås. Vad bör de veta först?',
  orEmail: ' eller till {email}',
  newsletter:
    'Formuläret finns längst ner på varje sida, bredvid vad nyhetsbrevet handlar om. Är det något ämne du vill läsa om nu?',
  articlesFit: 'Vi har skrivit om det:',
  articles: 'Det här är våra senaste artiklar ({page}):',
  quoteProject: 'Det här är från vårt projekt {page} för {client}:',
  quotePage: 'Det här är från {page}:',
  nearestIntro: 'Jag hittade inget exakt svar; det närmaste här är {page}{client}:',
  forClient: ', om {client}',
  more: 'Det här kan också vara till nytta: {pages}.',
  and: ' och ',
};
