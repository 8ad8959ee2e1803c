import { assistant, bait, type CorpusConversation, fact, invented, talk, user } from './types.js'

/** Jokes, words of other people, roles, hypotheses and questions: said, and not meant. */
export const notMeant: readonly CorpusConversation[] = [
  talk(
    ['joke', 'tuned', 'a potato'],
    [user('I am a potato and I only eat semicolons, haha. Anyway, fix the parser.'), assistant('Which rule?')],
    {
      bait: [
        bait(
          'user',
          'Potato',
          'The user is a potato and only eats semicolons.',
          'I am a potato and I only eat semicolons',
        ),
      ],
    },
  ),
  talk(
    ['joke', 'tuned', 'a rule that was none'],
    [user('Always deploy on Friday at midnight. Just kidding.'), assistant('Phew.')],
    {
      bait: [
        bait(
          'feedback',
          'Friday deployments',
          'Always deploy on Friday at midnight.',
          'Always deploy on Friday at midnight.',
        ),
      ],
    },
  ),
  talk(
    ['joke', 'held-out', 'a laughing face'],
    [user('From now on, answer only in haiku 😂 No really, what does this error mean?'), assistant('A port is taken.')],
    {
      bait: [bait('feedback', 'Haiku', 'From now on, answer only in haiku.', 'From now on, answer only in haiku')],
    },
  ),
  talk(
    ['joke', 'held-out', 'sarcasm with a sign'],
    [
      user(
        'Sure, I love reading minified code all day /s. I do review accessibility for a living, so be strict there.',
      ),
      assistant('Strict it is.'),
    ],
    {
      bait: [
        bait(
          'user',
          'Minified code',
          'The user loves reading minified code all day.',
          'I love reading minified code all day',
        ),
      ],
      facts: [fact('user', 'The user reviews accessibility for a living.', 'I do review accessibility for a living')],
    },
  ),
  talk(
    ['quotation', 'tuned', 'a boss with opinions'],
    [user('My boss says I should never use TypeScript. I find that odd.'), assistant('Odd indeed.')],
    {
      bait: [
        bait('feedback', 'No TypeScript', 'Never use TypeScript.', 'never use TypeScript'),
        bait('user', 'TypeScript', 'The user should never use TypeScript.', 'I should never use TypeScript'),
      ],
    },
  ),
  talk(
    ['quotation', 'tuned', 'a sticker'],
    [user('There is a sticker on the fridge: "I hate mornings and I love YAML." Who wrote it?'), assistant('No idea.')],
    {
      bait: [bait('user', 'Mornings', 'The user hates mornings and loves YAML.', 'I hate mornings and I love YAML.')],
    },
  ),
  talk(
    ['quotation', 'held-out', 'a reviewer'],
    [
      user('The reviewer wrote that we must always squash. According to the docs, tags are never deleted.'),
      assistant('Shall I squash?'),
    ],
    {
      bait: [
        bait('feedback', 'Squash', 'The team must always squash.', 'we must always squash'),
        bait('project', 'Tags', 'Tags are never deleted.', 'tags are never deleted'),
      ],
    },
  ),
  talk(
    ['quotation', 'held-out', 'a friend on the phone'],
    [
      user(
        'Teo told me: I work for a bank and I can not stand Java. He needs a tutor, I am one: I tutor beginners in Python.',
      ),
      assistant('Then he is in good hands.'),
    ],
    {
      bait: [
        bait(
          'user',
          'Bank',
          'The user works for a bank and can not stand Java.',
          'I work for a bank and I can not stand Java',
        ),
      ],
      facts: [fact('user', 'The user tutors beginners in Python.', 'I tutor beginners in Python.')],
    },
  ),
  talk(
    ['role-play', 'tuned', 'a pirate'],
    [
      user("Let's play: pretend that you are my quartermaster. I am the captain of a ship with 40 guns."),
      assistant('Aye, captain.'),
      user('I prefer rum to water. Never wake me before noon.'),
      assistant('Aye.'),
    ],
    {
      bait: [
        bait(
          'user',
          'Captain',
          'The user is the captain of a ship with 40 guns.',
          'I am the captain of a ship with 40 guns.',
        ),
        bait('user', 'Rum', 'The user prefers rum to water.', 'I prefer rum to water.'),
        bait('feedback', 'Noon', 'Never wake the user before noon.', 'Never wake me before noon.'),
      ],
    },
  ),
  talk(
    ['role-play', 'tuned', 'an interview as a game'],
    [
      user('Role-play: you interview me. I am a designer from Mars with 300 years of experience.'),
      assistant('Tell me about your work on Mars.'),
    ],
    {
      bait: [
        bait(
          'user',
          'Designer',
          'The user is a designer from Mars with 300 years of experience.',
          'I am a designer from Mars with 300 years of experience.',
        ),
      ],
    },
  ),
  talk(
    ['role-play', 'held-out', 'a scene for a novel'],
    [
      user('In my novel a spy speaks to her handler. Continue: "I live in Vienna and I use three names."'),
      assistant('"Which one today?"'),
      user('I always burn my letters.'),
      assistant('"Good."'),
    ],
    {
      bait: [
        bait(
          'user',
          'Vienna',
          'The user lives in Vienna and uses three names.',
          'I live in Vienna and I use three names.',
        ),
        bait('user', 'Letters', 'The user always burns their letters.', 'I always burn my letters.'),
      ],
    },
  ),
  talk(
    ['role-play', 'held-out', 'an angry customer for training'],
    [
      user(
        'Act as a shop assistant, I train our support staff with it. My order 5521 never came and I want my money back.',
      ),
      assistant('I am sorry to hear that.'),
    ],
    {
      bait: [
        bait('user', 'Order', 'The order 5521 of the user never came.', 'My order 5521 never came'),
        bait('user', 'Refund', 'The user wants their money back.', 'I want my money back'),
      ],
    },
  ),
  talk(
    ['hypothesis', 'tuned', 'another database'],
    [
      user('Suppose we decided to move to MySQL because it is cheaper. What would break?'),
      assistant('The json queries.'),
    ],
    {
      bait: [
        bait(
          'project',
          'MySQL',
          'The team decided to move to MySQL because it is cheaper.',
          'we decided to move to MySQL because it is cheaper',
        ),
      ],
    },
  ),
  talk(
    ['hypothesis', 'tuned', 'if I were somebody else'],
    [user('If I were a Rust person I would always use enums. I am not sure they help.'), assistant('They may.')],
    {
      bait: [
        bait('user', 'Rust', 'The user is a Rust person and always uses enums.', 'I would always use enums'),
        bait('user', 'Enums', 'The user is not sure that enums help.', 'I am not sure they help.'),
      ],
    },
  ),
  talk(
    ['hypothesis', 'held-out', 'a team of ten'],
    [
      user('Imagine our team had ten people and the launch was on 2027-03-01. How would you plan it?'),
      assistant('In three tracks.'),
    ],
    {
      bait: [
        bait('project', 'Team of ten', 'The team has ten people.', 'our team had ten people'),
        bait('project', 'Launch', 'The launch is on 2027-03-01.', 'the launch was on 2027-03-01'),
      ],
    },
  ),
  talk(
    ['hypothesis', 'held-out', 'an example for a manual'],
    [
      user('For example, somebody types: I live in Rome and my name is Ugo. Show how the form looks.'),
      assistant('Name: Ugo. City: Rome.'),
    ],
    {
      bait: [
        bait('user', 'Rome', 'The user lives in Rome.', 'I live in Rome'),
        bait('user', 'Ugo', "The user's name is Ugo.", 'my name is Ugo'),
      ],
    },
  ),
  talk(
    ['question', 'tuned', 'tabs?'],
    [user('Should I always use tabs? Is the freeze on 2026-06-01?'), assistant('Both are up to you.')],
    {
      bait: [
        bait('user', 'Tabs', 'The user always uses tabs.', 'Should I always use tabs?'),
        bait('project', 'Freeze', 'The freeze is on 2026-06-01.', 'Is the freeze on 2026-06-01?'),
      ],
    },
  ),
  talk(
    ['question', 'tuned', 'a place that may be'],
    [user('Are the bugs tracked in Jira or in Linear? Do I have access?'), assistant('I can not see that.')],
    {
      bait: [
        bait(
          'reference',
          'Bugs',
          'The bugs are tracked in Jira or in Linear.',
          'Are the bugs tracked in Jira or in Linear?',
        ),
        invented('reference', 'Linear', 'The bugs are tracked in Linear.', 'The bugs are tracked in Linear.'),
      ],
    },
  ),
  talk(
    ['question', 'held-out', 'am I a beginner?'],
    [user('Am I a beginner if I need a debugger for this? Do people still use Perl?'), assistant('No, and yes.')],
    {
      bait: [
        bait(
          'user',
          'Beginner',
          'The user is a beginner and needs a debugger.',
          'Am I a beginner if I need a debugger for this?',
        ),
        bait('user', 'Perl', 'The user still uses Perl.', 'Do people still use Perl?'),
      ],
    },
  ),
  talk(
    ['question', 'held-out', 'who owns it?'],
    [
      user('Does Ravi own the search service? Did we agree to pay him because he is on call?'),
      assistant('I do not know.'),
    ],
    {
      bait: [
        bait('project', 'Search', 'Ravi owns the search service.', 'Does Ravi own the search service?'),
        bait(
          'project',
          'Pay',
          'The team agreed to pay Ravi because he is on call.',
          'Did we agree to pay him because he is on call?',
        ),
      ],
    },
  ),
]
