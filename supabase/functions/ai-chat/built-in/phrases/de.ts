import type { Phrases } from './en.ts';

export const de: Phrases = {
  bookLabel: 'Termin buchen',
  contactLabel: 'Kontaktseite',
  personLabel: 'sich von einem Menschen schreiben lassen',
  write: 'schreiben Sie uns über die {contact}',
  services: 'Leistungen',
  projects: 'Projekte',
  news: 'Neuigkeiten',
  about: 'Über uns',
  timelineOf: 'Zeitrahmen: {value}',
  priceOf: 'Preis: {value}',
  notPublished: 'nicht veröffentlicht',
  youGet: 'Sie bekommen: {value}',
  declineInstructions:
    'Ich halte mich an das, was auf dieser Website veröffentlicht ist, und kann nicht ändern, wie ich arbeite. Fragen zu Leistungen, Projekten und Preisen beantworte ich gern. Was möchten Sie wissen?',
  whoAreYou:
    'Ich bin der eingebaute Assistent von {site}: ein Programm, kein Mensch und kein Sprachmodell. Ich suche Ihre Frage in dem, was hier veröffentlicht ist, und nenne die Seite, die ich benutzt habe.',
  greet: 'Guten Tag und willkommen bei {site}{tagline}.',
  canDo:
    'Ich kann über {services} Auskunft geben, wie lange sie dauern, was sie kosten, soweit es veröffentlicht ist, und über bisherige Projekte.',
  greetNext: 'Was möchten Sie verbessern: Kunden zu finden, sie zu erreichen oder ihnen zu antworten?',
  languages:
    'Ich antworte auf {languages}; Texte der Website werden zitiert, wie sie geschrieben wurden. Was möchten Sie wissen?',
  fine: 'Gern geschehen. Wenn Sie mit einem Menschen weitermachen möchten: {book}, oder {write}. Kann ich noch etwas für Sie nachsehen?',
  bye: 'Auf Wiedersehen und danke für Ihren Besuch. Dieses Gespräch ist noch da, wenn Sie zurückkommen, und jederzeit geht auch: {book}.',
  sayAgain:
    'Ich bin ein Programm und habe Sie vielleicht falsch verstanden. Können Sie es anders sagen? Wenn Sie lieber einen Menschen fragen: {book}, oder {write}.',
  unpublished:
    'Das weiß ich nicht: Auf dieser Website ist über {topic} nichts veröffentlicht, und ich möchte nicht raten.',
  topicThis: 'das',
  topicTheirs: 'das im Projekt für {client}',
  guarantee: 'Ergebnisse oder Bedingungen kann ich nicht versprechen; das ist Sache eines Menschen und eines Vertrags.',
  projectsNoneSuch: 'Ein solches Projekt ist nicht veröffentlicht. Diese sind es ({page}):',
  nearestIntro: 'Eine genaue Antwort habe ich nicht gefunden; am nächsten ist hier {page}:',
  quote: 'Das ist veröffentlicht: {page}',
  reviews: 'Das sagen Kunden:',
  process: 'Es beginnt mit einem Gespräch von 30 Minuten und geht dann durch drei Phasen: Discovery, Build und Deploy.',
  more: 'Nützlich könnte auch sein: {pages}.',
  next: 'Mehr sagt Ihnen ein Mensch: {book}, oder {write}. Was ist Ihnen am wichtigsten?',
  which:
    'Was davon kommt dem am nächsten, was Sie brauchen? Wenn Sie unsicher sind, finden wir es gemeinsam heraus: {book}.',
  talk: 'Würde Ihnen so etwas helfen? Dann: {book}.',
  booking:
    'Ein Gespräch mit einem Menschen dauert 30 Minuten: {book}. Wenn Sie lieber schreiben: {write}. Worum soll es gehen, damit wir vorbereitet sind?',
  memberNext: 'Um mit {name} zu sprechen: {book} und es dazusagen. Worum würde es gehen?',
  addressLeads:
    'Darf ein Mensch Sie unter {address} erreichen? Nur wenn Sie zustimmen, kommt es bei jemandem an: {person}. Es geht auch: {book}.',
  addressNoLeads:
    'Ich kann keine Adressen annehmen und nichts schicken, {address} erreicht von hier also niemanden. Bitte {write}, oder: {book}. Kann ich inzwischen etwas nachsehen?',
  contact: 'So erreichen Sie uns:',
  privacy:
    'Dieses Gespräch wird gespeichert, damit Sie es in diesem Browser fortsetzen können. Es ist nur über seine Kennung zu finden, die Ihr Browser hat, und unsere Administratoren können es lesen. „Clear“ in diesem Fenster vergisst die Kennung. Was gespeichert ist, kann ich nicht selbst löschen: Schreiben Sie uns über die {contact}, dann macht es ein Mensch. Möchten Sie noch etwas über Ihre Daten wissen?',
  sorry:
    'Das tut mir leid. Es braucht einen Menschen und kein Programm: Bitte schreiben Sie über die {contact} oder an {email}, was geschehen ist, an welche Adresse, und wie Sie erreichbar sind. Was sollte man dort zuerst wissen?',
  newsletter:
    'Das Formular dafür steht am Fuß jeder Seite, neben dem, wovon der Newsletter handelt. Gibt es ein Thema, über das Sie jetzt lesen möchten?',
};
