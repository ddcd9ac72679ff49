import type { Phrases } from './en.ts';

export const de: Phrases = {
  bookLabel: 'Termin buchen',
  timesLabel: 'Zeit im Buchungsbereich wählen',
  contactLabel: 'Kontaktseite',
  personLabel: 'sich von einem Menschen schreiben lassen',
  write: 'schreiben Sie uns über die {contact}',
  services: 'Leistungen',
  projects: 'Projekte',
  news: 'Neuigkeiten',
  about: 'Über uns',
  aboutPage: 'Über-uns-Seite',
  declineInstructions:
    'Ich halte mich an das, was auf dieser Website veröffentlicht ist, und kann nicht ändern, wie ich arbeite. Fragen zu Leistungen, Projekten und Preisen beantworte ich gern. Was möchten Sie wissen?',
  whoAreYou:
    'Ich bin der eingebaute Assistent von {site}: ein Programm, kein Mensch und kein Sprachmodell. Ich suche Ihre Frage in dem, was hier veröffentlicht ist, und nenne die Seite, die ich benutzt habe.',
  greet: 'Guten Tag und willkommen bei {site}{tagline}.',
  canDo:
    'Ich kann über unsere Leistungen Auskunft geben, wie lange sie dauern, was sie kosten, soweit es veröffentlicht ist, und über bisherige Projekte.',
  greetNext: 'Was möchten Sie verbessern: Kunden zu finden, sie zu erreichen oder ihnen zu antworten?',
  howAreYou:
    'Ich bin ein Programm, also immer gleich; danke der Nachfrage. Ich beantworte Fragen dazu, was {site} macht. Was führt Sie her?',
  languages:
    'Ich antworte auf {languages}; Texte der Website werden zitiert, wie sie geschrieben wurden. Was möchten Sie wissen?',
  thanks:
    'Gern geschehen. Wenn Sie mit einem Menschen weitermachen möchten: {book}. Kann ich noch etwas für Sie nachsehen?',
  bye: 'Auf Wiedersehen und danke für Ihren Besuch. Dieses Gespräch ist noch da, wenn Sie zurückkommen, und jederzeit geht auch: {book}.',
  fine: 'Gut. Wenn Sie mit einem Menschen weitermachen möchten: {book}. Kann ich noch etwas für Sie nachsehen?',
  rude: 'Ich bin ein Programm und habe Sie vielleicht falsch verstanden. Ein Mensch kann es besser: {book}, oder {write}. Was wollten Sie wissen?',
  sayAgain:
    'Das habe ich nicht verstanden. Können Sie es anders sagen? Wenn Sie lieber einen Menschen fragen: {book}, oder {write}.',
  notKnown:
    'Das weiß ich nicht: Nichts, was auf dieser Website veröffentlicht ist, beantwortet es, und ich möchte nicht raten.',
  canTell: 'Auskunft geben kann ich über {services}, unsere Projekte, Zeitrahmen und veröffentlichte Preise.',
  personAnswers: 'Alles andere beantwortet ein Mensch: {book}, oder {write}.',
  goal: 'Was möchten Sie erreichen?',
  unpublished: 'Über {topic} ist hier nichts veröffentlicht, und ich möchte nicht raten.',
  unpublishedTool:
    'Das weiß ich für {topic} nicht: Eine Liste von Integrationen ist nicht veröffentlicht, und ich möchte nicht raten.',
  unpublishedOffer:
    'Ein solches Angebot kenne ich nicht: Darüber ist nichts veröffentlicht. Veröffentlicht sind diese Leistungen:',
  nearby: 'Veröffentlicht ist in der Nähe davon:',
  next: 'Um mit einem Menschen über Ihren eigenen Fall zu sprechen: {book} oder {write}. Was ist Ihnen am wichtigsten?',
  personDecides: 'Das beantwortet ein Mensch: {book}, oder {write}. Was ist Ihnen daran am wichtigsten?',
  topicThis: 'das',
  topicTools: 'Ihre Werkzeuge',
  topicTheirPrice: 'das, was {client} bezahlt hat,',
  topicTheirDetails: 'das im Projekt für {client}',
  legalAdvice:
    'Rechtsrat kann ich nicht geben: Das darf ein Programm nicht, und das Recht unterscheidet sich nach Land und Fall.',
  servicesList: 'Das bieten wir an ({page}):',
  servicesNone: '{page} zeigen, was wir machen. Was möchten Sie erreichen?',
  whichService:
    'Welche davon würde Ihnen am meisten helfen? Wenn Sie unsicher sind, finden wir es gemeinsam heraus: {book}.',
  recommend: 'Nach dem, was Sie schreiben, ist dies am nächsten ({page}):',
  timelineOf: 'Zeitrahmen: {value}',
  priceOf: 'Preis: {value}',
  notPublished: 'nicht veröffentlicht',
  youGet: 'Sie bekommen: {value}',
  priceNone:
    'Für {what} ist hier kein Preis veröffentlicht, und ich möchte keinen raten. In einem Gespräch von 30 Minuten bekommen Sie eine Antwort für Ihren Fall: {book}. Wie groß ist das Team, das es nutzen würde?',
  priceIntro: 'Das ist veröffentlicht ({page}):',
  priceSilent: 'Für die anderen Leistungen ist kein Preis veröffentlicht.',
  timelineIntro: 'Das sind die veröffentlichten Zeitrahmen ({page}):',
  process: 'Es beginnt mit einem Gespräch von 30 Minuten und geht dann durch drei Phasen: Discovery, Build und Deploy.',
  processTimeline: 'Für {service} ist der veröffentlichte Zeitrahmen {value}.',
  processServices: 'Was Sie am Ende bekommen, steht bei jeder Leistung: {page}.',
  noted:
    'Danke, das hilft. Was es für Ihren Fall bedeutet, sagt ein Mensch: {book}, oder {write}. Kann ich noch etwas für Sie nachsehen?',
  booking:
    'Ein Gespräch dauert 30 Minuten{about}: {times}. Wenn Sie lieber schreiben, nutzen Sie die {contact}. Worum soll es gehen, damit wir vorbereitet sind?',
  bookingAbout: ' und handelt von {what}',
  person:
    'Gern: Ein Mensch nimmt sich 30 Minuten für Sie: {times}. Oder {write}. Worum soll es gehen, damit er vorbereitet ist?',
  personNamed:
    'Ob {name} Zeit hat, weiß ich nicht: {times} und angeben, dass Sie mit {name} sprechen möchten, oder {write}. Worum soll es gehen?',
  callBackLeads:
    'Selbst kann ich weder anrufen noch schreiben. Hinterlassen Sie, wie und wann Sie erreichbar sind, dann bekommt es ein Mensch: {person}. Oder legen Sie selbst eine Zeit fest: {book}. Worum soll es gehen?',
  callBack:
    'Selbst kann ich nicht anrufen, nichts schicken und nichts versprechen. Vereinbaren Sie eine Zeit mit einem Menschen: {times}. Oder {write}. Worum soll es gehen?',
  addressLeads:
    'Darf Ihnen ein Mensch an {address} schreiben? Nur wenn Sie zustimmen, erreicht es jemanden: {person}. Es geht auch: {book}.',
  phoneLeads:
    'Darf Sie ein Mensch unter {address}{when} anrufen? Nur wenn Sie zustimmen, erreicht es jemanden: {person}. Es geht auch: {book}.',
  addressNoLeads:
    'Ich kann keine Adressen annehmen und nichts schicken, {address} erreicht von hier also niemanden. Bitte {write}, oder: {book}. Kann ich inzwischen etwas nachsehen?',
  whenSaid: ' ({when})',
  contact: 'Sie erreichen uns über die {contact}{colon}',
  contactOrHere: ' oder hier:',
  email: 'E-Mail: {value}',
  phone: 'Telefon: {value}',
  address: 'Adresse: {value}',
  phoneNone:
    'Eine Telefonnummer ist hier nicht veröffentlicht. Einen Menschen erreichen Sie über die {contact}, oder: {book}. Worum geht es?',
  place: 'Wir sind hier: {address}.',
  projectsIntro: 'Das sind einige unserer Projekte ({page}):',
  projectsFit: 'Diese Projekte passen ({page}):',
  projectsNone:
    'Zurzeit sind keine Projekte veröffentlicht. Für Beispiele, die zu Ihrem Fall passen: {book}. Was möchten Sie sehen?',
  projectsNoneIn: 'Aus diesem Bereich ({industry}) ist kein Projekt veröffentlicht. Diese sind es ({page}):',
  projectsNoneSuch: 'Ein solches Projekt ist nicht veröffentlicht. Diese sind es ({page}):',
  projectsNext: 'Ähnelt eines davon Ihrer Lage? Dann gehen wir es mit Ihnen durch: {book}.',
  projectsYes:
    'Welches ähnelt ihr am meisten? Ich kann erzählen, wie es gemacht wurde und was dabei herauskam. Um es mit einem Menschen durchzugehen: {book}.',
  projectsNo:
    'Dann kann Ihnen ein Mensch mehr sagen, als ich hier finde: {book}, oder {write}. In welcher Branche sind Sie?',
  caseOf: '{page}, unser Projekt für {client}: {metric}',
  caseHow: 'So wurde es gemacht, aus unserem Projekt {page} für {client}:',
  caseResult: 'Das kam dabei heraus, aus unserem Projekt {page} für {client}:',
  caseTime: 'Das sagt unser Projekt {page} für {client} über die Zeit:',
  caseNext: 'Möchten Sie wissen, wie es gemacht wurde oder wie es bei Ihnen aussähe? Für das Zweite: {book}.',
  talk: 'Würde Ihnen so etwas helfen? Dann: {book}.',
  abroad: 'Projekte für Kunden, in denen {country} vorkommt:',
  guarantee: 'Ergebnisse oder Bedingungen kann ich nicht versprechen; das ist Sache eines Menschen und eines Vertrags.',
  guaranteeResults: 'Veröffentlicht sind Ergebnisse bisheriger Projekte ({page}):',
  reviews: 'Das sagen Kunden:',
  teamNone: 'Das Team stellt sich hier vor: {page}. Mit wem möchten Sie sprechen?',
  teamSize:
    'Diese {count} Menschen sind als Team veröffentlicht ({page}); wie viele hier insgesamt arbeiten, weiß ich nicht.',
  member: '{page}, {position}, gehört zu unserem Team.',
  memberNoPosition: '{page} gehört zu unserem Team.',
  memberNext: 'Um mit {name} zu sprechen: {book} und es dazusagen. Worum würde es gehen?',
  whoDoes: 'Wer es macht, klärt das erste Gespräch. Nach dem Fachgebiet wäre es:',
  whoDoesAny: 'Wer daran arbeiten würde, klärt das erste Gespräch. Das sind die Menschen dahinter ({page}):',
  founderNone: 'Wer die Firma gegründet hat, ist nicht veröffentlicht. Das sind die Menschen dahinter ({page}):',
  careers:
    'Was wir über die Arbeit bei uns sagen, steht unter Careers hier: {page}; von Stellen darüber hinaus weiß ich nichts. Um sich vorzustellen, nutzen Sie die {contact}. Welche Art von Arbeit suchen Sie?',
  difference: 'Über andere Agenturen weiß ich nichts, deshalb vergleiche ich nicht. Zeigen kann ich, was Kunden sagen:',
  privacy:
    'Dieses Gespräch wird gespeichert, damit Sie es in diesem Browser fortsetzen können. Es ist nur über seine Kennung zu finden, die Ihr Browser hat, und unsere Administratoren können es lesen. „Clear“ in diesem Fenster beginnt ein neues und vergisst die Kennung. Um ein Gespräch löschen zu lassen, schreiben Sie uns über die {contact}. Möchten Sie noch etwas wissen, bevor Sie weitermachen?',
  deletion:
    'Selbst löschen kann ich es nicht. „Clear“ in diesem Fenster beginnt ein neues Gespräch und vergisst die Kennung von diesem; um das Gespeicherte löschen zu lassen, schreiben Sie uns über die {contact}, dann macht es ein Mensch. Möchten Sie noch etwas über Ihre Daten wissen?',
  unsubscribe:
    'Es tut mir leid, dass Sie gestört wurden. Von einer Liste nehmen kann ich Sie selbst nicht; bitte nennen Sie über die {contact}{orEmail} die Adresse, an die geschrieben wurde, dann kümmert sich ein Mensch darum. Was wurde Ihnen geschickt, damit Sie es dort nennen können?',
  complaint:
    'Das tut mir leid. Es braucht einen Menschen und kein Programm: Bitte schreiben Sie über die {contact}{orEmail}, was geschehen ist und wie Sie erreichbar sind. Was sollte man dort zuerst wissen?',
  orEmail: ' oder an {email}',
  newsletter:
    'Das Formular dafür steht am Fuß jeder Seite, neben dem, wovon der Newsletter handelt. Gibt es ein Thema, über das Sie jetzt lesen möchten?',
  articlesFit: 'Darüber haben wir geschrieben:',
  articles: 'Das sind unsere neuesten Artikel ({page}):',
  quoteProject: 'Das ist aus unserem Projekt {page} für {client}:',
  quotePage: 'Das ist von der Seite {page}:',
  nearestIntro: 'Eine genaue Antwort habe ich nicht gefunden; am nächsten ist hier {page}{client}:',
  forClient: ', über {client}',
  more: 'Nützlich könnte auch sein: {pages}.',
  and: ' und ',
};
