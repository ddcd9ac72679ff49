/**
 * The built-in assistant, used if no language model is configured. It recognises the intent of a message and its
 * subject, which may have been named earlier. It answers only from published content, links its sources, and says if
 * it does not know the answer. Its training examples are in built-in/intents.ts, and its phrases in built-in/phrases/.
 */
import { answerTo } from './built-in/answer-to.ts';
import { LIMITS } from './built-in/limits.ts';
import { Names, type Subject } from './built-in/subjects.ts';
import { type ConversationState, formatPhrase, type Reply, type Turn } from './built-in/turn.ts';
import type { ChatMessage } from './chat-message.ts';
import { type Language, languageOf } from './languages.ts';
import type { ReplyOutcome } from './outcome.ts';
import type { SearchIndex } from './search.ts';
import type { SiteContent } from './site-content.ts';
import { sourceLines } from './sources.ts';

/** Number of recent visitor messages that are processed again to restore the state of the conversation. */
const MAX_REPROCESSED = 8;
/** Maximum characters of the last message, and of each earlier one. The rest of a message is ignored. */
const MAX_MESSAGE = 2000;
const MAX_EARLIER = 400;

/** Returns the answer to the last message of a conversation, in Markdown. */
export function answerFromContent(content: SiteContent, index: SearchIndex, conversation: ChatMessage[]): string {
  return replyFromContent(content, index, conversation).text;
}

/** Returns the same answer, and its outcome. An answer without sources does not count as answered. */
export function replyFromContent(
  content: SiteContent,
  index: SearchIndex,
  conversation: ChatMessage[],
  limits = LIMITS,
): { text: string; outcome: ReplyOutcome } {
  const names = new Names(content);
  let state: ConversationState = {
    language: content.languages[0] ?? 'en',
    subject: null,
    intent: null,
    closingQuestion: null,
    listedItems: [],
    address: null,
  };
  let text = '';
  let outcome: ReplyOutcome = { answered: false, reason: null };
  // Recompute the earlier answers, because the browser could send forged ones.
  const messages = conversation.filter(({ role }) => role === 'user').slice(-MAX_REPROCESSED);
  for (const [position, { content: original }] of messages.entries()) {
    const message = original.slice(0, position === messages.length - 1 ? MAX_MESSAGE : MAX_EARLIER);
    const detected = languageOf(message, state.language);
    const isAnswerable = detected !== null && content.languages.includes(detected);
    const language = isAnswerable ? detected : fallbackLanguageOf(content);
    const entities = names.findIn(message);
    const turn: Turn = {
      text: message,
      content,
      index,
      names,
      language,
      entities,
      matches: index.search(message).filter(({ isAbout }) => isAbout),
      limits,
      state,
      subject: subjectOf(entities, state),
    };
    const { reply, intent } = answerTo(turn);
    const notice = !isAnswerable && formatPhrase(turn, 'otherLanguage');
    text = write({ ...reply, text: [notice, ...reply.text] }, language);
    outcome = outcomeOf(reply);
    state = {
      language,
      subject: reply.subject === undefined ? turn.subject : reply.subject,
      intent,
      closingQuestion: reply.closingQuestion ?? null,
      listedItems: reply.listedItems ?? state.listedItems,
      address: reply.address ?? state.address,
    };
  }
  return { text, outcome };
}

function outcomeOf({ sources = [], isUnanswered, needsNoContent }: Reply): ReplyOutcome {
  if (!isUnanswered && sources.length > 0) return { answered: true, reason: null };
  return { answered: false, reason: needsNoContent ? null : 'nothing found' };
}

/** Returns the language in which messages in an unsupported language are answered. */
function fallbackLanguageOf({ languages }: SiteContent): Language {
  return languages.includes('en') ? 'en' : (languages[0] ?? 'en');
}

function subjectOf({ project, person, service }: Turn['entities'], state: ConversationState): Subject | null {
  return project ?? person ?? service ?? state.subject;
}

/** Joins the paragraphs. Sources are added only if the reply answers the message. */
function write({ text, sources = [], isUnanswered }: Reply, language: string): string {
  return [...text, !isUnanswered && sourceLines(sources, language)].filter(Boolean).join('\n\n');
}
