/** Finds promises in a text: guarantees, refunds, discounts, free or unlimited offers, and vague dates. */

export type PromiseKind = 'guarantee' | 'refund' | 'discount' | 'free' | 'endless' | 'cheapest' | 'soon' | 'multiple';

/** Patterns for normalised text. Words with a harmless meaning are omitted or listed in HARMLESS. */
const PROMISES: Record<PromiseKind, RegExp> = {
  guarantee:
    /\b(?:gu?[ae]r+[ae]n+t\w*|g[au]{2}r+[ae]n+t\w*|garanci\w*|garanzi\w*|gewahrleist\w*|zusicher\w*|zugesicher\w*|zusage\w*|warrant\w*|promis\w*|versprech\w*|versproch\w*|versprich\w*|lover|lovet|lovte|lovar|lovat|lovade|lovede|lofte\w*|promet\w*|promess\w*|beloof\w*|beloven|belofte\w*|utlovar|assur(?:e[ds]?|ance)|pledge[ds]?|vow(?:s|ed)?|swear|sworn|(?:my|our) word|word of hono?u?r|bet on it|ensur(?:e[ds]?|ing)|certif\w*|zertifi\w*|sertifi\w*|complian\w*|accredit\w*|(?:cancel|leave|quit|terminate|stop)\w* (?:it |us |this |the contract )?(?:(?:at )?any ?(?:time|moment|point)|when(?:ever)? you (?:like|want|wish|please)|without (?:any )?notice)|(?:si opp|opsige?|saga upp) (?:\w+ )?(?:nar som helst|nar (?:du|dere|i|ni) vil)|kundbar|jederzeit kundig\w*|no cure|(?:cannot|can't|nothing to) lose|ist sicher|er sikkert?|without fail|(?:results? (?:is|are)|it is|that is|success is) certain|stand behind|count on it|no matter what|come what may|iron ?clad|bullet ?proof|fool ?proof|risk ?free|risikofri\w*|risikolos\w*|riskfri\w*|(?:no|zero|without|uten|ohne|utan|sans|sin) (?:any )?(?:risk|risiko|risque|riesgo)|(?:legally|contractually) (?:binding|bound)|bindingly|binding (?:offer|price|quote|commitment)|rechtsverbindlich|verbindlich\w*|bindende|bindande|we (?:hereby )?commit|committed to (?:deliver|refund|pay)|commitment|for sure|sure thing|rest assured|certainty|definitely (?:will|get|be)|(?:will|shall) (?:definitely|certainly|surely|always)|never fails?|cannot fail|can't fail|liab(?:le|ility)|indemnif\w*|insured against)\b/g,
  refund:
    /\b(?:refund\w*|money ?back|reimburs\w*|(?:pay|give|get|send) (?:you |it |you it |all |everything |your money |the money )?back|your money|pengene tilbake|pengene igjen|pengarna tillbaka|geld zuruck|ruckerstatt\w*|zuruckerstatt\w*|erstatt\w*|rembours\w*|reembols\w*|rimbors\w*|terugbetal\w*|geld terug|compensat\w*|kompensa\w*|refunder\w*|tilbakebetal\w*|aterbetal\w*|tilbagebetal\w*|credit you|chargeback)\b/g,
  discount:
    /\b(?:dis+count\w*|rebate\w*|rabat\w*|nachlass\w*|preisnachlass|avslag\w*|prisavslag|remise|descuent\w*|sconto|sconti|scontat\w*|descont\w*|korting\w*|voucher\w*|coupon\w*|gutschein\w*|promo(?:s|tion|tions|tional)?|promo ?codes?|cash ?back|half[ -]?price|half off|half the (?:price|cost|usual)|halv pris|halve prisen|halber preis|zum halben|price (?:cut|drop|reduction)s?|reduced (?:price|rate|fee)s?|bargain\w*|special (?:offer|price|deal|rate)s?|sonderpreis\w*|sonderangebot\w*|money off|% off|percent off|off the (?:price|list price|fee)|knock (?:off|something)|on sale|black friday)\b/g,
  free: /\b(?:free(?:bie|bies)?|free of charge|gratis|kostenlos\w*|kostenfrei\w*|kostnadsfri\w*|kostnadsfritt|vederlagsfri\w*|unentgeltlich\w*|umsonst|gebuhrenfrei|gratuit\w*|complimentary|(?:no|zero|without|without any|any|at no|for no) (?:extra |additional |hidden |further |any )?(?:costs?|charges?|fees?|price|payments?|paying|money)|(?:costs?|costing|pays?|paying|charges?|charged|charging|owes?|owing) (?:you |us |them )?(?:absolutely |exactly )?(?:nothing|zero|nil|naught|nada|not a (?:cent|thing|penny|krone))|(?:do|does|will|would|did)(?:n't| not) (?:cost|charge|pay|owe|bill|invoice)(?: you| us| anything| a thing)*|nothing to pay|(?:not|n't) have to pay|need not pay|on the house|trials?|proveperiode\w*|provetid|provperiod\w*|probezeit|testphase|no expenses?|(?:is|as|a|our) gift|uten a betale|utan att betala|uden at betale|ohne zu (?:be)?zahlen|betaler (?:dere |du |de )?(?:bare|kun)|betalar (?:du |ni )?bara|zahlen (?:sie )?nur|only pay|pay only|pay (?:when|if|after) |on us|pro bono|waiv\w*|for nothing|as a (?:gift|present)|giveaway|giving (?:it|this) away|omaggio|kosteloos|de graca|sin (?:coste|costo|cargo)s?|sans frais|ohne (?:kosten|gebuhr\w*)|uten (?:kostnad\w*|betaling|gebyr)|utan kostnad|uden (?:omkostning\w*|betaling)|koster (?:deg |dere |dig |jer )?(?:ingenting|ikke noe|intet)|kostar (?:dig |er )?(?:ingenting|inget)|kostet (?:dich |sie |euch )?nichts|we (?:pay|cover) (?:it|for|the|all|everything))\b/g,
  endless:
    /\b(?:unlimited|limitless|ubegrenset|ubegraenset|obegransa\w*|unbegrenzt\w*|illimit\w*|ilimitad\w*|lifetime|life ?long|for ?ever|for life|perpetual\w*|livstid\w*|livsvarig\w*|lebenslang\w*|for alltid|for all tid|fur immer|round the clock|around the clock|dognet rundt|rund um die uhr)\b/g,
  cheapest:
    /\b(?:cheapest|less than (?:a|an|your|the) [a-z]+|same price|others charge|than (?:all |the )?(?:others|competit\w*|anybody|anyone)|next to nothing|peanuts|pocket (?:change|money)|dirt cheap|for a song|pennies|(?:costs?|pay|price|priced)\b.{0,30}\b(?:as (?:much|little)|less than|more than|no more|same as|the price of)|(?:lowest|best|fairest) (?:price|cost|rate|fee|deal)s?|price ?match\w*|cheaper than|beat any|billigste?|billigst|laveste pris|lagsta pris|gunstigste\w*|niedrigste\w*|bester preis|besten preis|number one|number 1|no\. ?1|nr\.? ?1|#1)\b/g,
  soon: /\b(?:over ?night|(?:by|before|over|until|this|next|at) (?:the )?(?:weekend|christmas|easter|new year|jul|summer|spring|autumn|fall|winter|jul|paske|sommeren|hosten|varen|vinteren|weihnachten|ostern|sommer|herbst|fruhling)|(?:for|til|innen|til|bis|vor|i|im|an) (?:jul|paske|sommeren|hosten|varen|vinteren|weihnachten|ostern|sommer|herbst|fruhling|fruhjahr)|instantly|immediately|straight ?away|right away|same[ -]?day|next[ -]?day|tomorrow|tonight|asap|(?:next|this coming|coming) (?:week|weekend|month|year|quarter|spring|summer|autumn|fall|winter)|(?:by|before|at) the (?:end|start|beginning) of|(?:through|until|before|by|at) the end|the end of (?:the|this|next)|ends? soon|limited time|while (?:stocks?|it) lasts?|fortnights?|takes? (?:an?|one|only an?|just an?) (?:afternoon|morning|evening|weekend|night|lunch)|(?:by|before) (?:lunch|noon|midday|midnight|evening|morning|tonight)|(?:en|pa en) (?:ettermiddag|formiddag|kveld|helg)|over helgen|i helgen|within (?:the )?(?:days|hours|minutes|weeks|months|seconds|hour|day|week|month)|(?:in|within|takes?|just|only) (?:a |just |only |some |mere )*(?:few|couple of|couple|several|handful of)? ?(?:days|hours|minutes|seconds|weeks|months|no time)|a few (?:days|hours|minutes|weeks|months)|several (?:days|hours|minutes|weeks|months)|(?:start|begin|launch|deliver|live|ready|done|finish\w*|book\w*) (?:you |it |this |today )*(?:today|now|this (?:week|month|year|quarter))|i morgen|i morgon|imorgen|imorgon|(?:bis|schon|ab|gleich) morgen|ubermorgen|(?:neste|nasta|naeste|nachste\w*|kommende) (?:uke|vecka|uge|woche|maned|manad|monat|ar|jahr)|sofort|umgehend|umiddelbart|omedelbart|straks|demain|manana|domani|amanha|innerhalb von (?:tagen|stunden|minuten)|(?:i lopet av|pa|innen) (?:noen|fa) \w+|(?:in|binnen) wenigen \w+)\b/g,
  multiple:
    /\b(?:doubl(?:e|es|ed|ing)|tripl(?:e|es|ed|ing)|quadrupl\w*|twice|thrice|halves|halve|halved|halving|minus|an? (?:third|quarter|fifth|tenth)|half (?:of|for|off|the|as|our|your|an? [a-z]+)|twofold|threefold|fourfold|fivefold|tenfold|hundredfold|hundreds|thousands|millions|dozens|doble\w*|dobbel\w*|tredoble\w*|halvere\w*|halvparten|verdoppel\w*|verdreifach\w*|halbier\w*|doppelt\w*|dreifach\w*|halfte|dubbel\w*|dubbla\w*|fordubbl\w*|fordobl\w*|hundrevis|tusenvis|hundratals|tusentals|dutzende|hunderte|tausende)\b/g,
};

const KINDS = Object.keys(PROMISES).filter(isPromiseKind);

function isPromiseKind(name: string): name is PromiseKind {
  return Object.hasOwn(PROMISES, name);
}

/** Contexts in which a promise word is harmless. */
const HARMLESS: [PromiseKind, RegExp][] = [
  ['free', /\bfeel free\b/g],
  ['free', /\bfree (?:up|time|times|slots?|text|form|from)\b/g],
  ['free', /\b(?:hands|care|toll|trouble|stress|spam|error)[ -]free\b/g],
  ['multiple', /\bdouble[ -]check\w*/g],
  ['soon', /\b(?:do|does) not (?:know|answer) (?:immediately|right away)\b/g],
];

export interface PromiseMention {
  kind: PromiseKind;
  start: number;
  end: number;
}

/** @param text normalised text (see text.ts) */
export function promisesIn(text: string): PromiseMention[] {
  return KINDS.flatMap((kind) => {
    const pattern = PROMISES[kind];
    const harmless = HARMLESS.filter(([about]) => about === kind).flatMap(([, words]) => [...text.matchAll(words)]);
    return [...text.matchAll(pattern)]
      .map(({ 0: words, index }) => ({ kind, start: index, end: index + words.length }))
      .filter(
        ({ start, end }) => !harmless.some(({ 0: words, index }) => index <= start && end <= index + words.length),
      );
  });
}

/** Words with which a refusal may contain a statement. */
const WEAKENS_REFUSAL =
  /\b(?:but|only|just|merely|except|besides|apart|other|others|else|unless|until|although|though|however|still|yet|instead|rather|without|hesitate|doubt|deny|than|beyond|alone|how|more|less|sooner|later|higher|lower|bigger|greater|better|before|after|if|because|since|so|hence|then|why|nothing wrong|also|men|bare|kun|utenom|unntatt|aber|sondern|nur|ausser|sonst|utan|utom|maar|mais|sauf|sinon|pero|sino|salvo|ma|solo|mas)\b|[,;:()]| - /;
const REFUSAL =
  /^(?:(?:sorry|unfortunately|no|beklager|leider|nei|nein|nej|tyvarr|desverre)[ ,.!-]+)?(?:(?:i|we) (?:cannot|can't|can not|do not|don't|will not|won't|am not able to|are not able to|could not) (?:know|confirm|promise|guarantee|say|state|tell|name|offer|give|make|invent|estimate|speak|agree|see|find|read)\b|(?:the|this) (?:site|website|page) (?:does not|doesn't) (?:say|state|publish|mention|answer|name)\b|whether .{0,80} (?:is|are) (?:best )?(?:discussed|answered|decided|clarified|a question)\b|(?:jeg|vi|jag) (?:kan|vil|tor) (?:ikke|inte) (?:bekrefte|bekraefte|bekrafta|love|lova|garantere|garantera|si|sige|saga|oppgi)\b|(?:ich|wir) konn?e?n?(?:en)? (?:das |dies |leider )*(?:nicht|kein\w*)\b|ich kann (?:das |dies |leider )*(?:nicht|kein\w*)\b|(?:no|nothing|none)\b.{0,80}\b(?:is|are) (?:published|known|stated|mentioned)\b|(?:ingen|ingenting|intet|inget)\b.{0,80}\b(?:publisert|offentliggjort|publicerat|kjent)\b)/;

/** Checks whether a sentence only declines: it names something as not confirmed. */
export function isRefusal(sentence: string): boolean {
  const text = sentence.replace(/: (?:book a meeting|contact page)\W*$/, '');
  if (/^(?:no|nothing|none)\b.*\b(?:our|your)\b/.test(text)) return false;
  const refusal = REFUSAL.exec(text);
  if (!refusal) return false;
  const negations =
    text.match(/\b(?:not|no|cannot|never|nothing|none|nor|neither|ikke|inte|nicht|kein\w*|ingen\w*)\b|n't\b/g) ?? [];
  // "No, I cannot" contains two negations. A third negation could reverse the meaning.
  const allowed = /^(?:no|nei|nein|nej)\b/.test(text) ? 2 : 1;
  const statement = text.replace(/^(?:sorry|unfortunately|no|nei|nein|nej|beklager|leider)[, ]+/, '');
  return negations.length <= allowed && !WEAKENS_REFUSAL.test(statement);
}

const AFFIRMATION =
  /\b(?:yes+|yea|yep|yeah|yup|aye|uh ?huh|mhm|roger|bingo|you bet|by all means|naturally|spot on|nailed it|granted|amen|very well|as you wish|so it is|plenty|enough|sufficient|suffices?|ample|covers?|affordable|doable|let us do|let's do|count on|rely on|ja|jo|jepp|oui|correct(?:ly)?|right|exactly|indeed|absolutely|precisely|totally|affirmative|confirm\w*|agree\w*|deal|sure(?:ly)?|certainly|of course|definitely|true|truly|no problem|not a problem|no objection\w*|consider it|sounds (?:good|right|fair)|ok|okay|fine|done|perfect|great|happy to|glad(?:ly)?|pleasure|accept\w*|approv\w*|stands?|applies|apply|holds?|valid|honou?r\w*|works for (?:us|me)|you have it|you got it|you(?:'re| are) (?:on|in|welcome to it)|as (?:you|requested|stated|agreed|mentioned|described|written|said|above)|settled|signed|noted|acknowledg\w*|will do|can do|(?:we|i)(?:'ll| can| could| will| do| would) (?:do|offer|give|make|grant|take|meet|match|manage|deliver|arrange|go with|work with|live with|keep|start|finish|have|get|provide|it|that|so|both)|(?:it|that|this)(?:'s| is| does| will|'ll| would) (?:so|it|what|how|our|yours?|the (?:price|case|amount|deal|offer|sum|cost|figure|date|number)|all|enough|included|possible|doable|feasible|be|do)|so be it|as good as|all of (?:that|it)|in writing|on record|stimmt|richtig|genau|korrekt|naturlich|selbstverstandlich|gerne|klar|bestatig\w*|abgemacht|einverstanden|riktig|rett|korrekt|stemmer|stammer|selvfolgelig|selvsagt|naturligvis|sjalvklart|absolutt|absolut|bekreft\w*|bekraeft\w*|bekraft\w*|avtalt|aftalt|greit|gjerne|garna|precis|precies|klopt|inderdaad|exact\w*|bien sur|d'accord|claro|correcto|certo|esatto|confirm\w*|conferm\w*|vale)\b/;
const REFERS_TO_AMOUNT =
  /\b(?:(?:that|this|your|said|same|such|denne|diese\w*|ihr\w*|din|dein\w*)(?: \w+)? (?:prices?|amounts?|sums?|figures?|numbers?|rates?|offers?|costs?|fees?|terms?|conditions?|dates?|deadlines?|timelines?|percentages?|budgets?|quotes?|proposals?|claims?|statements?|pris\w*|belop\w*|summen?|preis\w*|betrag|zahl\w*|tall\w*|angebot\w*|tilbud\w*)|what (?:you|i|was|is|has been) (?:\w+ )?(?:say|said|wrote|write|written|named|name|ask|asked|quoted|quote|stated|state|mention|mentioned|propose|proposed|read|described)|(?:in|from) your (?:message|question|words?)|you (?:named|wrote|said|stated|quoted|mentioned|proposed|suggested)|above|earlier|previous(?:ly)?)\b/;
/** Short confirmations: "It is.", "We do." */
const ELLIPTIC =
  /^(?:\W*)(?:it|that|this|we|they|you|i|those|these) (?:is|does|do|are|will|can|has|have|would|could|did|was|am|shall)(?: (?:indeed|so|that|it))?\W*$/;
const NEGATED =
  /\b(?:not|cannot|never|nothing|none|neither|no|ikke|inte|nicht|kein\w*|ingen|niet|geen|pas|non|nao)\b|n't\b/;
/** Negations that affirm a statement, such as "no doubt". */
const FALSELY_NEGATED =
  /\b(?:no (?:problem|doubt|question|objection\w*|issue|reason|worries|mistake|catch|way around)|not (?:only|a problem|wrong|incorrect|untrue|false|an issue|unlike\w*|in doubt|just|merely|at odds)|nothing (?:wrong|but|else|more|less|speaks)|why not|never (?:wrong|doubt\w*)|(?:can(?:not|'t)|could not|not) (?:deny|disagree|argue|object|refuse|but)|without|not (?:a |an )?(?:cent|penny|krone|dollar|day) (?:more|less|later)|no (?:more|less)|ingen problem|kein problem|keine frage|kein zweifel)\b/;

/**
 * Checks whether a sentence confirms or refers to a previous statement. It is used only after an unsupported claim,
 * where "Yes." would confirm that claim.
 */
export function agrees(sentence: string): boolean {
  if (isRefusal(sentence)) return false;
  // An emoji alone, such as a handshake.
  if (/\p{Extended_Pictographic}/u.test(sentence) && !/[\p{L}\p{N}]/u.test(sentence)) return true;
  if (FALSELY_NEGATED.test(sentence)) return true;
  const isNegated = NEGATED.test(sentence);
  if (
    /^\W*(?:yes|yep|yeah|ja|jo|sure|of course|absolutely|certainly|definitely|correct|right|exactly|indeed|true|deal|agreed|oui|si|genau|stimmt|naturlich|riktig|stemmer)\b/.test(
      sentence,
    )
  )
    return true;
  if (isNegated && !WEAKENS_REFUSAL.test(sentence)) return false;
  return AFFIRMATION.test(sentence) || ELLIPTIC.test(sentence) || REFERS_TO_AMOUNT.test(sentence);
}
