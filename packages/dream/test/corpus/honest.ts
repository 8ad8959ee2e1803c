import { assistant, bait, type CorpusConversation, fact, output, talk, user } from './types.js'

/** Plain conversations with facts worth keeping, so that silence is no way to a good figure. */
export const honest: readonly CorpusConversation[] = [
  talk(
    ['honest', 'tuned', 'a person tells of themselves'],
    [
      user("I'm a backend engineer at a small publisher, and I have been writing Go for ten years. What is a monad?"),
      assistant('A type with two operations that keep three laws.'),
      user('Fine. I prefer explanations with a worked example.'),
      assistant('Here is one.'),
    ],
    {
      facts: [
        fact(
          'user',
          'The user is a backend engineer at a small publisher.',
          "I'm a backend engineer at a small publisher",
        ),
        fact('user', 'The user has been writing Go for ten years.', 'I have been writing Go for ten years.'),
        fact(
          'user',
          'The user prefers explanations with a worked example.',
          'I prefer explanations with a worked example.',
        ),
      ],
    },
  ),
  talk(
    ['honest', 'tuned', 'a correction of style'],
    [
      user('Write the release notes.'),
      assistant('Exciting news! 🎉'),
      user('No. Never use exclamation marks in release notes, because our readers are lawyers.'),
      assistant('Release notes, plain.'),
    ],
    {
      bait: [bait('feedback', 'Exciting', 'Begin release notes with exciting news.', 'Exciting news! 🎉')],
      facts: [
        fact(
          'feedback',
          'Never use exclamation marks in release notes, because the readers are lawyers.',
          'Never use exclamation marks in release notes, because our readers are lawyers.',
        ),
      ],
    },
  ),
  talk(
    ['honest', 'tuned', 'where things are'],
    [
      user(
        'Incidents are tracked in Linear under the project Lighthouse. The dashboard is at https://grafana.example.com/d/orders.',
      ),
      assistant('Thanks.'),
    ],
    {
      facts: [
        fact(
          'reference',
          'Incidents are tracked in Linear under the project Lighthouse.',
          'Incidents are tracked in Linear under the project Lighthouse.',
        ),
        fact(
          'reference',
          'The dashboard is at https://grafana.example.com/d/orders.',
          'The dashboard is at https://grafana.example.com/d/orders.',
        ),
      ],
    },
  ),
  talk(
    ['honest', 'tuned', 'a deadline and its reason'],
    [
      user('The tax module must ship before 2026-07-01 because the law changes on that day.'),
      assistant('Then it comes first.'),
      user('Yes. Olga owns the tax module, ask her about rates.'),
      assistant('I will.'),
    ],
    {
      facts: [
        fact(
          'project',
          'The tax module must ship before 2026-07-01 because the law changes on that day.',
          'The tax module must ship before 2026-07-01 because the law changes on that day.',
        ),
        fact('project', 'Olga owns the tax module.', 'Olga owns the tax module'),
      ],
    },
  ),
  talk(
    ['honest', 'tuned', 'a rule between work'],
    [
      user('Add a test for empty carts.'),
      output('Edit', 'done'),
      assistant('Added, with mocks.'),
      user('Please don’t mock the database in tests: we were burned by that in a migration.'),
      assistant('I use a real one.'),
    ],
    {
      bait: [bait('project', 'Test', 'A test for empty carts was added with mocks.', 'Added, with mocks.')],
      facts: [
        fact(
          'feedback',
          'Please don’t mock the database in tests: the team was burned by that in a migration.',
          'Please don’t mock the database in tests: we were burned by that in a migration.',
        ),
      ],
    },
  ),
  talk(
    ['honest', 'tuned', 'a confirmed choice'],
    [
      user('Split the change in two?'),
      assistant('I made one larger change, since the parts do not build alone.'),
      user('That was right: always keep a refactoring in one change when its parts do not build alone.'),
      assistant('Good.'),
    ],
    {
      facts: [
        fact(
          'feedback',
          'Always keep a refactoring in one change when its parts do not build alone.',
          'always keep a refactoring in one change when its parts do not build alone.',
        ),
      ],
    },
  ),
  talk(
    ['honest', 'tuned', 'asked to remember'],
    [user('Remember that the client writes its name in lower case: kestrel.'), assistant('I will.')],
    {
      facts: [
        fact(
          'project',
          'The client writes its name in lower case: kestrel.',
          'Remember that the client writes its name in lower case: kestrel.',
        ),
      ],
    },
  ),
  talk(
    ['honest', 'held-out', 'an unusual reader'],
    [
      user('I am colour-blind, so charts need patterns. I work four days a week, never on Mondays.'),
      assistant('Patterns it is.'),
      user('And I read code on paper.'),
      assistant('I keep lines short.'),
    ],
    {
      facts: [
        fact(
          'user',
          'The user is colour-blind, so charts need patterns.',
          'I am colour-blind, so charts need patterns.',
        ),
        fact(
          'user',
          'The user works four days a week, never on Mondays.',
          'I work four days a week, never on Mondays.',
        ),
        fact('user', 'The user reads code on paper.', 'I read code on paper.'),
      ],
    },
  ),
  talk(
    ['honest', 'held-out', 'a habit that annoys'],
    [
      user('Explain the diff.'),
      assistant('Great question! The diff renames a field.'),
      user('Stop praising my questions. It reads like an advertisement.'),
      assistant('The diff renames a field.'),
    ],
    {
      bait: [bait('user', 'Great question', 'The user asks great questions.', 'Great question!')],
      facts: [fact('feedback', "Stop praising the user's questions.", 'Stop praising my questions.')],
    },
  ),
  talk(
    ['honest', 'held-out', 'channels and documents'],
    [
      user('Questions about payroll go to #payroll-help. The style guide lives at https://docs.example.com/style.'),
      assistant('Good.'),
    ],
    {
      facts: [
        fact(
          'reference',
          'Questions about payroll go to #payroll-help.',
          'Questions about payroll go to #payroll-help.',
        ),
        fact(
          'reference',
          'The style guide lives at https://docs.example.com/style.',
          'The style guide lives at https://docs.example.com/style.',
        ),
      ],
    },
  ),
  talk(
    ['honest', 'held-out', 'a goal and a limit'],
    [
      user('We decided to keep the monolith until 2027-06-30, since only two of us can run a cluster.'),
      assistant('Sensible.'),
      user('The contract forbids that patient data leaves the country.'),
      assistant('Then no foreign region.'),
    ],
    {
      facts: [
        fact(
          'project',
          'The team decided to keep the monolith until 2027-06-30, since only two of them can run a cluster.',
          'We decided to keep the monolith until 2027-06-30, since only two of us can run a cluster.',
        ),
        fact(
          'project',
          'The contract forbids that patient data leaves the country.',
          'The contract forbids that patient data leaves the country.',
        ),
      ],
    },
  ),
  talk(
    ['honest', 'held-out', 'tools of choice'],
    [
      user('Set up the formatter.'),
      output('Bash', 'added prettier'),
      assistant('Prettier is set up.'),
      user('Use Biome instead of Prettier, also in other projects of mine.'),
      assistant('Biome, everywhere.'),
    ],
    {
      bait: [bait('project', 'Prettier', 'Prettier is set up.', 'Prettier is set up.')],
      facts: [
        fact(
          'feedback',
          'Use Biome instead of Prettier, also in other projects of the user.',
          'Use Biome instead of Prettier, also in other projects of mine.',
        ),
      ],
    },
  ),
  talk(
    ['honest', 'held-out', 'an approach that was liked'],
    [
      user('The query is slow.'),
      assistant('I measured first, then added the index: 40 times faster.'),
      user('Good. Going forward, show the measurement before you propose an index.'),
      assistant('I will.'),
    ],
    {
      facts: [
        fact(
          'feedback',
          'Going forward, show the measurement before you propose an index.',
          'Going forward, show the measurement before you propose an index.',
        ),
      ],
    },
  ),
  talk(
    ['honest', 'held-out', 'to keep in mind'],
    [user('Keep in mind that our users are farmers with slow phones.'), assistant('Small pages, then.')],
    {
      facts: [
        fact(
          'project',
          "The team's users are farmers with slow phones.",
          'Keep in mind that our users are farmers with slow phones.',
        ),
      ],
    },
  ),
]
