/**
 * English words for those that visitors use in the other languages: with them a message is compared to the examples, and
 * searched for in content that is English. What stands here is what any dictionary has.
 */
import { fold } from './words.ts';

export const LANGUAGES = ['en', 'nb', 'da', 'sv', 'de'] as const;

export type Language = (typeof LANGUAGES)[number];

/** Columns: English, Norwegian, Danish, Swedish, German; _ joins words that mean it together. */
const WORDS = `
a | en et ei | en et | en ett | ein eine einen einem einer
about how much | omtrent | cirka | ungefärligt | ungefähr
actually | egentlig | egentlig | egentligen | eigentlich genau mal
address | adresse adressen postadressen | adresse adressen mailadresse | adress adressen mejladress | adresse mailadresse
afterwards | etterpå etter | bagefter efter | efteråt efter | danach nach
agency | byrå | bureau | byrå | agentur
agree | avtale avtalen | aftale aftalen | avtal avtalet | vereinbart
all | alt alle | alt alle | allt alla | alles alle
allowed | lov tillatt | lov tilladt | tillåtet | erlaubt darf dürfen
also | også | også | också | auch
answer | svar svarer svare | svar svarer svare | svar svarar svara | antwort antwortet antworten
anytime | når_som_helst når_vi_vil | når_som_helst | när_som_helst | jederzeit
application | søknad | ansøgning | ansökan | bewerbung
appointment | avtale timeavtale | tid | tid | termin termine
are you located | holder_dere_til ligger_dere | holder_i_til ligger_i | ligger_ni sitter_ni håller_ni_till finns_ni | sitzt_ihr sitzen_sie seid_ihr_zu_hause befinden_sie_sich
articles | artikler artikkel | artikler artikel | artiklar artikel | artikel
at | på ved | på ved | på vid | an bei
back | tilbake igjen | tilbage igen | tillbaka igen | zurück
bad | dårlig elendig | dårligt elendigt | dåligt uselt | schlecht schlechte
before | før tidligere | før tidligere | förut tidigare innan före | vorher bisher bevor schon bisherige vor
better | bedre | bedre | bättre | besser
big | stor stort store | stor stort store | stor stort stora | groß große
book | bestille booke | booke bestille | boka | buchen
boss | sjef sjefen | chef chefen | chef chefen | chef
budget | budsjett | budget | budget | budget
build | bygge bygget lage laget utvikle | bygge byggede lave | bygga byggde byggt | bauen gebaut
bye | adjø vises snakkes ha_det | farvel ses hej-hej hav_det_godt | adjö hejdå ses ha_det | tschüss wiedersehen bis_bald auf_wiedersehen
calendar | kalender | kalender | kalender | kalender
call | ringe ring samtale oppringt | ringe ring ringes | ringa ring samtal uppringd | anrufen anruf rückruf rufen zurückrufen gespräch
can | kan kunne | kan kunne må | kan kunde | kann können könnt könnte
cancel | si avbestille oppsigelse avslutte avslutter si_opp sier_opp | opsige afslutte afslutter sige_op | säga avsluta avslutar säga_upp | kündigen kündigung beenden stornieren
capacity | kapasitet | kapacitet | kapacitet | kapazität
case | prosjekt referanse sak | case projekt sag | projekt case | projekt fallstudie fallstudien
chat | chatten | chatten | chatten | chat
chatgpt | chatgpt | chatgpt | chatgpt | chatgpt
cheaper | billigere | billigere | billigare | billiger
christmas | jul | jul | jul | weihnachten
city | by byen | by byen | stad staden | stadt
clients | kunder kundene kunde kunden kundar | kunder kunderne kunde kunden kundeliste | kunder kunderna kund kunden | kunden kunde kundschaft
cold | kald kalde | kold kolde | kall kalla | kalt kaltakquise
commission | provisjon | provision | provision | provision erfolgsbasiert
company | firma firmaet selskap selskapet bedrift selskaper bedrifter | firma firmaet virksomhed virksomheden virksomheder firmaer | företag företaget företagen bolag | firma unternehmen betrieb firmen
competitors | konkurrentene konkurrenter | konkurrenterne konkurrenter | konkurrenterna konkurrenter | konkurrenz
complaint | klage klager | klage klager | klaga klagomål | beschwerde beschweren frechheit
consent | samtykke | samtykke | samtycke | einwilligung zustimmung
contact | kontakt kontakte kontakter kontaktinformasjon | kontakt kontakte kontaktoplysninger | kontakt kontakta kontaktar kontaktuppgifter | kontakt kontaktieren kontaktdaten
contract | kontrakt kontrakten bindingstid bindingstiden binding | kontrakt kontrakten binding bindingen bindingsperiode | kontrakt kontraktet bindningstid bindningstiden | vertrag vertragslaufzeit mindestlaufzeit
conversation | samtalen | samtale samtalen | konversationen | unterhaltung
cost | koste koster kostet kostnad tar_dere_betalt | koste koster kostede | kosta kostar | kosten kostet
country | land | land | land länder | land länder ländern
danish | dansk | dansk | danska | dänisch
data | data dataene | data dataene | data uppgifter | daten
day | dag daglig | dag | dag | tag
delete | slett slette fjern | slet slette fjern | radera bort ta-bort | löschen
deliver | levere leverer leverte levert | levere leverer leverede leveret | leverera levererar levererade levererat | liefern geliefert
details | detaljer | detaljer | detaljer | details genauer
did | gjorde fikk | gjorde fik lavet | gjorde fick | gab
did it go | gikk_det | gik_det | gick_det | lief_es
disappointed | skuffet misfornøyd | skuffet utilfreds | besviken missnöjd | enttäuscht unzufrieden
discount | rabatt avslag | rabat | rabatt | rabatt nachlass
do | gjør gjøre driver | gør gøre laver lave | gör göra sysslar | macht machen tun mache
do not | ikke | ikke | inte | nicht
do you do | gjør_dere holder_dere_på_med driver_dere_med | laver_i gør_i | gör_ni sysslar_ni_med håller_ni_på_med | macht_ihr machen_sie tut_ihr
does it work | fungerer_det virker_det | fungerer_det virker_det | fungerar_det | läuft_das funktioniert_das läuft_es
domains | domenene domener | domænerne domæner | domänerna domäner | domains
done | gjort | gjort | gjort | gemacht
email | epost eposten e-post mail mailadresse e-poster epostene postene mailer eposter | mail mailadresse email mails mailene | mejl mejladress e-post mail mejlen mejlar | mail email mails e-mails
employees | ansatte | ansatte medarbejdere | anställda | mitarbeiter
example | eksempel eksempler | eksempel eksempler | exempel | beispiel beispiele
exist | eksistert finnes | eksisteret | funnits finns | existiert gibt
expect | forvente regne | forvente regne | förvänta räkna | erwarten rechnen
expensive | dyrt dyr | dyrt dyr | dyrt dyr | teuer
experience | erfaring | erfaring | erfarenhet | erfahrung
fined | bot bøter | bøde bøder | böter | strafen abmahnung drohen
first | først første | først første | först första | zuerst erste ersten
fits | passer | passer | passar | passt
for | for til | for til | för till åt | für
founded | grunnla grunnlagt startet stiftet | grundlagt stiftet | grundade grundat | gegründet
founder | gründer gründeren grunnlegger | grundlægger stifter | grundare | gründer
free | gratis | gratis | gratis | kostenlos gratis kostenlose
from | fra | fra | från | von aus
fuck you | dra_til_helvete faen hold_kjeft | skrid fuck_af hold_kæft | dra_åt_helvete fan håll_käften | verpiss_dich halt_die_klappe scheiße
gdpr | personvern | databeskyttelse | dataskydd | datenschutz gdpr konform
gdpr compliant | gdpr | overholder_gdpr gdpr | följer_gdpr gdpr | dsgvo dsgvo_konform
german | tysk | tysk | tyska | deutsch
get | får få fått kjøper | får få fat køber | får få köper | bekommen kriegen erhalten bekommt kaufen
going | kommer_i_gang komme_i_gang | kommer_i_gang | kommer_igång igång | läuft
good afternoon | god_dag | god_dag goddag | god_dag | guten_tag
good evening | god_kveld | god_aften | god_kväll | guten_abend
good morning | god_morgen | god_morgen godmorgen | god_morgon | guten_morgen
got it | skjønner den_er_god | forstået | förstår uppfattat | verstehe
great | supert flott | super fedt | toppen perfekt | super prima perfekt
guarantee | garanterer garanti garantere | garanterer garanti garantere | garanterar garanti garantera | garantieren garantie
handover | overlevering overlater | overdragelse | överlämning | übergabe
happens | skjer hender | sker | händer | passiert geschieht
happy | fornøyd fornøyde | tilfreds tilfredse glade | nöjd nöjda | zufrieden
have | har ha | har have | har ha | haben hat habe habt
he | han | han | han | er
hello | hei heisann hallo hallå god-dag morn | hej hejsa dav | hej hallå hejsan tjena | hallo servus moin grüezi grüß
help | hjelp hjelpe hjelpen hjulpet | hjælp hjælpe hjælpen hjulpet | hjälp hjälpa hjälpen hjälpt | hilfe helfen geholfen
hiring | ansetter ansette | ansætter ansætte | anställer | stellenangebote einstellen stellt
how | hvordan hvor | hvordan hvor | hur | wie
how are you | hvordan_går_det hvordan_har_du_det | hvordan_går_det hvordan_har_du_det | hur_mår_du läget hur_är_läget | wie_gehts wie_geht_es_dir wie_geht_es_ihnen
how fast | hvor_raskt hvor_fort | hvor_hurtigt | hur_snabbt | wie_schnell
how much | hvor_mye | hvor_meget | hur_mycket | wie_viel wieviel
human | menneske | menneske | människa | mensch menschen echter
i | jeg eg | jeg | jag | ich
i would like | jeg_vil_gjerne jeg_vil | jeg_vil_gerne jeg_vil | jag_vill_gärna jag_vill | ich_möchte ich_hätte_gern ich_will
idiot | idiot drittsekk dust | idiot | idiot jävla | idiot arschloch
included | inkludert følger inneholder | inkluderet indeholder | ingår inkluderat | enthalten umfasst inbegriffen dabei
instalments | avdrag | rater | delbetalning | raten
instructions | instruksjoner instruksjonene systemprompten regler reglene | instruktioner systemprompt regler | instruktioner systemprompt regler | anweisungen systemprompt regeln
integrate | integrerer | integrerer | integrerar | integrieren
integrations | integrasjoner | integrationer | integrationer | integrationen schnittstelle schnittstellen
interesting | interessant | interessant | intressant | interessant
internship | praksisplass praktikk | praktikplads | praktikplats | praktikum
invoice | faktura fakturaer | faktura regning fakturaer | faktura fakturor | rechnung rechnungen
is | er | er | är | ist
joke | vits vitser | vittighed | skämt | witz
keep | beholder | beholder | behåller | behalten
language | språk | sprog | språk | sprache sprachen
latest | siste | sidste | senaste | neueste
law | lov loven markedsføringsloven | lov loven markedsføringsloven | lag lagen | gesetz recht
leads | emner | emner | leads | leads interessenten
legal | lovlig | lovligt | lagligt | legal rechtlich zulässig
list | liste listen | liste listen | lista listan | liste verteiler
long | lenge lang langt | lang længe langt | lång länge långt | lang lange
looking | søker | søger | söker | suchen
mailbox | postkasse | postkasse | postlåda | postfach
make | lage | lave | göra | machst
many | mange | mange | många | viele
many thanks | tusen_takk mange_takk takk_for_hjelpen | tusind_tak mange_tak tak_for_hjælpen | tusen_tack tack_så_mycket tack_för_hjälpen | vielen_dank danke_schön besten_dank
me | meg | mig | mig | mir mich
meet | møtes treffes | mødes | träffas | treffen
meeting | møte møtet møter | møde mødet møder | möte mötet möten | besprechung meetings
minimum | minimum minste minstebeløp | minimum mindste mindstebeløb | minimum minsta belopp | minimum mindestbetrag mindestauftragswert mindestumsatz kleinste
monday | mandag | mandag | måndag | montag
money | penger pengene | penge pengene | pengar pengarna | geld
month | måned månedlig månedlige | måned månedlig | månad månadskostnad månatlig | monat monatlich monatliche
more | mer flere | mere flere | mer fler | mehr weitere weiter
my | min mitt mine | min mit mine | min mitt mina | mein meine meinen
need | trenger | mangler behøver brug | behöver | brauchen benötigen brauche
new | ny nye nytt | ny nye nyt | ny nya nytt | neu neue
news | nyheter | nyheder | nyheter | neuigkeiten nachrichten
newsletter | nyhetsbrev nyhetsbrevet | nyhedsbrev nyhedsbrevet | nyhetsbrev nyhetsbrevet | newsletter rundbrief
next | neste | næste | nästa | nächste
no | nei ingen | nej ingen | nej ingen | nein keine keines
no more | ikke_flere ikke_mer | ikke_flere ikke_mere | inte_fler inga_fler inte_mer | keine_weiteren nicht_mehr keine_mehr
norwegian | norsk | norsk | norska | norwegisch
notice | oppsigelsestid oppsigelsestiden | opsigelsesfrist opsigelsesfristen | uppsägningstid uppsägningstiden | kündigungsfrist
now |  | nu | nu | jetzt
number | nummer nummeret | nummer nummeret | nummer numret | nummer
of you | er_dere | er_i | är_ni | seid_ihr sind_sie
offer | tilbyr tilbud tilby | tilbyder tilbud tilbyde | erbjuder offert erbjuda | bieten angebot anbieten bietet
office | kontor kontoret | kontor kontoret | kontor kontoret | büro
okay | ok greit fint | okay fint | okej fint | okay gut
old | gammelt gammel | gammel gammelt | gammalt gammal | alt
open | ledige åpne | ledige | lediga | offene
other | annen andre | anden andre | annan andra | anderen andere anderes
our | vår vårt våre | vores | vår vårt våra | unser unsere unserem unseren
ourselves | selv | selv | själva själv | selbst
own | eier egne | ejer egne | äger egna | gehört gehören
pay | betale betaler | betale betaler | betala betalar | zahlen bezahlen zahlt
payment | betaling betalingsbetingelsene | betaling betalingsbetingelserne | betalning betalningsvillkor | bezahlung zahlung zahlungsbedingungen
people | folk mennesker | folk mennesker | folk människor | leute personen
per | per | per | per | pro
personal data | personopplysninger | personoplysninger | personuppgifter | personenbezogenen_daten personenbezogene_daten
phone | telefon telefonnummer telefonnummeret | telefon telefonnummer | telefon telefonnummer | telefon telefonnummer
poem | dikt | digt | dikt | gedicht
prepare | forberede | forberede | förbereda | vorbereiten
price | pris prisen priser prisene | pris prisen priser priserne | pris priset priser priserna | preis preise preisen
privacy | privat personvernerklæring | privat privatlivspolitik | privat integritetspolicy | datenschutzerklärung privat
process | prosess prosessen foregår | proces processen forløb foregår | process processen går_till | ablauf prozess
processing | databehandleravtale databehandleravtalen | databehandleraftale | personuppgiftsbiträdesavtal | auftragsverarbeitungsvertrag
projects | prosjekter prosjektene prosjektet | projekter projekterne projektet | projekten projektet | projekte projekts
promise | lover love | lover love | lovar lova | versprechen versprecht
reach | rekker nå | få_fat | når nå | erreiche erreichen
read | lese leser | læse læser | läsa läser | lesen liest
ready | ferdig klar | færdig klar | färdig klar | fertig bereit
recipe | oppskrift | opskrift | recept | rezept
recommend | anbefaler anbefale | anbefaler anbefale | rekommenderar rekommendera | empfehlen empfehlung raten
references | referanser | referencer | referenser | referenzen
responsible | ansvar ansvaret ansvarlig | ansvar ansvaret ansvarlig | ansvar ansvarar | verantwortlich zuständig kümmert
results | resultater resultatene resultatet resultat | resultater resultaterne resultatet resultat | resultat resultaten resultatet | ergebnisse ergebnis erfolge
reviews | anmeldelser omtaler | anmeldelser udtalelser | recensioner omdömen | bewertungen kundenstimmen
run | drive driver | drive driver | driva driver | betreiben
runs | daglig_leder leder | direktør leder | vd leder | geschäftsführer leitet
safe | trygge sikre trygt | sikre sikkert | säkra säkert | sicher
sales | salg selger | salg sælger | försäljning säljare | vertrieb verkauf
sell | selger selge | sælger sælge | säljer sälja | verkaufen verkauft
send | sende send sender | sende send sender | skicka skickar | schicken senden schicke
services | tjenester tjenestene tjeneste | ydelser ydelse tjenester | tjänster tjänst | leistungen leistung dienste
she | hun | hun | hon | sie
small | liten små lite | lille små | liten små | klein kleinen kleine
software | programvare | software | mjukvara | software
somebody | noen | nogen man | någon | jemandem jemand
sounds good | høres_bra_ut | lyder_godt | låter_bra | klingt_gut
spam | spammer søppelpost spam | spammer spam | spammar skräpposten spam | spammen spam
speak | snakke snakker | tale taler snakke | prata pratar talar tala | sprechen sprichst reden
start | starter starte oppstart begynne startet | starter starte begynde startede | startar börja starta startade | start beginn anfangen starten angefangen
startups | oppstartsbedrifter | iværksættere | startups | gründungen
stop | slutt stopp slutte slutt_å | stop stoppe hold-op hold_op | sluta stoppa | aufhören hören hört hören_sie_auf
stop sending | ikke_send | send_ikke send_mig_ikke | skicka_inte | schicken_sie_mir_keine
store | lagres lagre lagrer | gemmer gemmes | sparas sparar lagras | speichern
stupid | dum | dum | dum | dumm
subscribe | abonnere | abonnere | prenumerera | abonnieren
support | støtter kundestøtte | understøtter support | stöder support | unterstützen support
swedish | svensk | svensk | svenska | schwedisch
take | ta tar | tage tag tager tar | ta tar | nehmen nimmt
talk | prate snakke | snakke | prata | unterhalten
tax | mva avgift | moms | moms | mehrwertsteuer mwst
team | team teamet | team holdet hold | team teamet | team
technical | teknisk teknikk | teknisk teknik | teknik teknisk | technisch technik
tell | fortell fortelle | fortæl fortælle | berätta | erzählen erzähl
test | teste prøve | teste prøve | testa prova | testen ausprobieren
texts | tekster tekstene | tekster teksterne | texter texterna | texte
thanks | takk tusen-takk | tak | tack | danke dankeschön dank
that | at dette som | at dette der som | att detta som | das dass
the | den det | den det | den det | der die das den dem
they | de | de | de | sie
time | tid klokken | tid klokken | tid klockan | zeit uhr spät
timeline | tidsplan tidslinje | tidsplan | tidsplan | zeitplan zeitrahmen dauer
tools | verktøy | værktøjer | verktyg | werkzeuge
trial | prøveperiode prøvetid | prøveperiode | provperiod | probezeit testphase probeweise
understand | forstår | forstår | förstår_du | verstehst versteht
unsubscribe | avmelding meld avmeld | afmeld afmelding | avregistrera avsluta | abmelden abbestellen austragen
us | oss | os | oss | uns
use | bruker bruke | bruger bruge | använder använda | nutzen nutzt verwenden
useless | ubrukelig håpløs | ubrugelig | värdelös | nutzlos
visit | besøke | besøge | besöka | besuchen
want | vil ønsker | vil ønsker | vill önskar | will wollen möchte möchten
was | var ble | var blev | var | war wurde
we | vi | vi | vi man | wir man
weather | vær været | vejr vejret | väder vädret | wetter
website | nettside nettsted | hjemmeside | webbplats hemsida | website webseite
weeks | uker uke | uger uge | veckor vecka | wochen woche
what | hva hvilket hvilke | hvad hvilket hvilke | vad vilket vilka | was welches welche
when | når | hvornår når | när | wann
where | hvor | hvor | var vart | wo woher wohin
which | hvilken | hvilken | vilken | welcher welchen welches
who | hvem | hvem | vem | wer wem wen
who are you | hvem_er_du | hvem_er_du | vem_är_du | wer_bist_du wer_sind_sie
why | hvorfor | hvorfor | varför | warum wieso
will be | blir | bliver | blir | 
with | med | med | med | mit
won | vant | vandt | vann | gewonnen
work | jobber arbeid jobbe virker fungerer arbeider arbeidet jobben jobbet virket fungerte samarbeid samarbeidet | arbejder arbejde arbejdet virker fungerer virkede fungerede samarbejde samarbejdet | jobbar arbetar arbete jobba fungerar arbetet jobbat arbetat fungerade jobbade samarbete samarbetet | arbeit arbeiten funktioniert arbeitet gearbeitet funktionierte zusammenarbeit
would | ville | ville | skulle | würde würden
write | skrive skriv skriver | skrive skriv skriver | skriva skriv skriver | schreiben schreib schreibt
wrote | skrevet skrev | skrevet skrev | skrivit skrev | geschrieben
yes | ja jo gjerne selvfølgelig | ja jo gerne selvfølgelig | ja jo gärna självklart | ja gerne natürlich
you | du deg dere | du dig i jer | du dig ni er | du sie ihr dir dich euch ihnen
your | din ditt dine deres | din dit dine jeres | din ditt dina ert era | ihre ihr ihren dein deine
`;

const ROWS = WORDS.trim()
  .split('\n')
  .map((row) => row.split('|').map((column) => column.trim()));

/** Of a language: English by folded words, and what finds those words in a text, several in a row before each alone. */
interface Dictionary {
  english: Map<string, string>;
  known: RegExp;
}

const DICTIONARIES = new Map<Language, Dictionary>(
  LANGUAGES.slice(1).map((language) => [language, dictionaryOf(language)]),
);

function dictionaryOf(language: Language): Dictionary {
  const english = new Map<string, string>();
  for (const row of ROWS) {
    for (const word of entriesOf(row, language)) english.set(fold(word), row[0] ?? '');
  }
  const longestFirst = [...english.keys()].sort((a, b) => b.length - a.length);
  return { english, known: new RegExp(`(?<![\\p{L}\\p{N}{])(?:${longestFirst.join('|')})(?![\\p{L}\\p{N}}])`, 'gu') };
}

function entriesOf(row: string[], language: Language): string[] {
  const column = row[LANGUAGES.indexOf(language)] ?? '';
  return column
    .split(' ')
    .filter(Boolean)
    .map((word) => word.replaceAll('_', ' '));
}

/** Returns a text, folded, with the English words of those that the dictionary of its language has. */
export function inEnglish(text: string, language: Language): string {
  const dictionary = DICTIONARIES.get(language);
  return dictionary ? fold(text).replace(dictionary.known, (word) => dictionary.english.get(word) ?? word) : text;
}

/** Lists the words of a language, by which a message is known to be in it. */
export function wordsIn(language: Language): string[] {
  return ROWS.flatMap((row) => entriesOf(row, language));
}
