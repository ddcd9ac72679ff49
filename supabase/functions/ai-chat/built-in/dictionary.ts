/**
 * Norwegian words with their English translations. They are used to compare a message with the English examples and to
 * search English content.
 */
import { fold } from './words.ts';

/** English word: Norwegian words, separated by bars. _ joins the words of a phrase. */
const WORDS = `
a: en et ei | about how much: omtrent | actually: egentlig | address: adresse adressen postadressen |
afterwards: etterpå etter | agency: byrå | agree: avtale avtalen | all: alt alle | allowed: lov tillatt | also: også |
answer: svar svarer svare | anytime: når_som_helst når_vi_vil | application: søknad | appointment: avtale timeavtale |
are you located: holder_dere_til ligger_dere | articles: artikler artikkel | at: på ved | back: tilbake igjen |
bad: dårlig elendig | before: før tidligere | better: bedre | big: stor stort store | book: bestille booke |
boss: sjef sjefen | budget: budsjett | build: bygge bygget lage laget utvikle | bye: adjø vises snakkes ha_det |
calendar: kalender | call: ringe ring samtale oppringt | can: kan kunne |
cancel: si avbestille oppsigelse avslutte avslutter si_opp sier_opp | capacity: kapasitet |
case: prosjekt referanse sak | chat: chatten | chatgpt: chatgpt | cheaper: billigere | christmas: jul | city: by byen |
clients: kunder kundene kunde kunden kundar | cold: kald kalde | commission: provisjon |
company: firma firmaet selskap selskapet bedrift selskaper bedrifter | competitors: konkurrentene konkurrenter |
complaint: klage klager | consent: samtykke | contact: kontakt kontakte kontakter kontaktinformasjon |
contract: kontrakt kontrakten bindingstid bindingstiden binding | conversation: samtalen |
cost: koste koster kostet kostnad tar_dere_betalt | country: land | danish: dansk | data: data dataene |
day: dag daglig | delete: slett slette fjern | deliver: levere leverer leverte levert | details: detaljer |
did: gjorde fikk | did it go: gikk_det | disappointed: skuffet misfornøyd | discount: rabatt avslag |
do: gjør gjøre driver | do not: ikke | do you do: gjør_dere holder_dere_på_med driver_dere_med |
does it work: fungerer_det virker_det | domains: domenene domener | done: gjort |
email: epost eposten e-post mail mailadresse e-poster epostene postene mailer eposter | employees: ansatte |
example: eksempel eksempler | exist: eksistert finnes | expect: forvente regne | expensive: dyrt dyr |
experience: erfaring | fined: bot bøter | first: først første | fits: passer | for: for til |
founded: grunnla grunnlagt startet stiftet | founder: gründer gründeren grunnlegger | free: gratis | from: fra |
fuck you: dra_til_helvete faen hold_kjeft | gdpr: personvern | gdpr compliant: gdpr | german: tysk |
get: får få fått kjøper | going: kommer_i_gang komme_i_gang | good afternoon: god_dag | good evening: god_kveld |
good morning: god_morgen | got it: skjønner den_er_god | great: supert flott | guarantee: garanterer garanti garantere |
handover: overlevering overlater | happens: skjer hender | happy: fornøyd fornøyde | have: har ha | he: han |
hello: hei heisann hallo hallå god-dag morn | help: hjelp hjelpe hjelpen hjulpet | hiring: ansetter ansette |
how: hvordan hvor | how are you: hvordan_går_det hvordan_har_du_det | how fast: hvor_raskt hvor_fort |
how much: hvor_mye | human: menneske | i: jeg eg | i would like: jeg_vil_gjerne jeg_vil | idiot: idiot drittsekk dust |
included: inkludert følger inneholder | instalments: avdrag |
instructions: instruksjoner instruksjonene systemprompten regler reglene | integrate: integrerer |
integrations: integrasjoner | interesting: interessant | internship: praksisplass praktikk |
invoice: faktura fakturaer | is: er | joke: vits vitser | keep: beholder | language: språk | latest: siste |
law: lov loven markedsføringsloven | leads: emner | legal: lovlig | list: liste listen | long: lenge lang langt |
looking: søker | mailbox: postkasse | make: lage | many: mange | many thanks: tusen_takk mange_takk takk_for_hjelpen |
me: meg | meet: møtes treffes | meeting: møte møtet møter | minimum: minimum minste minstebeløp | monday: mandag |
money: penger pengene | month: måned månedlig månedlige | more: mer flere | my: min mitt mine | need: trenger |
new: ny nye nytt | news: nyheter | newsletter: nyhetsbrev nyhetsbrevet | next: neste | no: nei ingen |
no more: ikke_flere ikke_mer | norwegian: norsk | notice: oppsigelsestid oppsigelsestiden | number: nummer nummeret |
of you: er_dere | do you offer: tilbyr_dere kan_dere_tilby | offer: tilbyr tilbud tilby | office: kontor kontoret | okay: ok greit fint | old: gammelt gammel |
open: ledige åpne | other: annen andre | our: vår vårt våre | ourselves: selv | own: eier egne | pay: betale betaler |
payment: betaling betalingsbetingelsene | people: folk mennesker | per: per | personal data: personopplysninger |
phone: telefon telefonnummer telefonnummeret | poem: dikt | prepare: forberede | price: pris prisen priser prisene |
privacy: privat personvernerklæring | process: prosess prosessen foregår |
processing: databehandleravtale databehandleravtalen | projects: prosjekter prosjektene prosjektet |
promise: lover love | reach: rekker nå | read: lese leser | ready: ferdig klar | recipe: oppskrift |
recommend: anbefaler anbefale | references: referanser | responsible: ansvar ansvaret ansvarlig |
results: resultater resultatene resultatet resultat | reviews: anmeldelser omtaler | run: drive driver |
runs: daglig_leder leder | safe: trygge sikre trygt | sales: salg selger | sell: selger selge |
send: sende send sender | services: tjenester tjenestene tjeneste | she: hun | small: liten små lite |
software: programvare | somebody: noen | sounds good: høres_bra_ut | spam: spammer søppelpost spam |
speak: snakke snakker | start: starter starte oppstart begynne startet | startups: oppstartsbedrifter |
stop: slutt stopp slutte slutt_å | stop sending: ikke_send | store: lagres lagre lagrer | stupid: dum |
subscribe: abonnere | support: støtter kundestøtte | swedish: svensk | take: ta tar | talk: prate snakke |
tax: mva avgift | team: team teamet | technical: teknisk teknikk | tell: fortell fortelle | test: teste prøve |
texts: tekster tekstene | thanks: takk tusen-takk | that: at dette som | the: den det | they: de | time: tid klokken |
timeline: tidsplan tidslinje | tools: verktøy | trial: prøveperiode prøvetid | understand: forstår |
unsubscribe: avmelding meld avmeld | us: oss | use: bruker bruke | useless: ubrukelig håpløs | visit: besøke |
want: vil ønsker | was: var ble | we: vi | weather: vær været | website: nettside nettsted | weeks: uker uke |
what: hva hvilket hvilke | when: når | where: hvor | which: hvilken | who: hvem | who are you: hvem_er_du |
why: hvorfor | will be: blir | with: med | won: vant |
work: jobber arbeid jobbe virker fungerer arbeider arbeidet jobben jobbet virket fungerte samarbeid samarbeidet |
would: ville | write: skrive skriv skriver | wrote: skrevet skrev | yes: ja jo gjerne selvfølgelig | you: du deg dere |
your: din ditt dine deres`;

const ENGLISH = new Map(
  WORDS.split('|').flatMap((entry) => {
    const [english = '', words = ''] = entry.trim().split(': ');
    return words.split(' ').map((word) => [fold(word.replaceAll('_', ' ')), english] as const);
  }),
);

/** Phrases match before single words. */
const KNOWN = new RegExp(
  `(?<![\\p{L}\\p{N}{])(?:${[...ENGLISH.keys()].sort((a, b) => b.length - a.length).join('|')})(?![\\p{L}\\p{N}}])`,
  'gu',
);

/** Returns the text. A Norwegian text is folded and its known words are translated. */
export function translateToEnglish(text: string, language: string): string {
  return language === 'nb' ? fold(text).replace(KNOWN, (word) => ENGLISH.get(word) ?? word) : text;
}

/** Norwegian words for language detection. */
export const NORWEGIAN_WORDS: readonly string[] = [...ENGLISH.keys()];
