const { builtinModules } = require('node:module')

// The arrows of ARCHITECTURE.md, as rules. scripts/direction.test.mjs breaks each of them once.
// A package is a layer unless it is named here, so that a new one is known from its first day.
const layer = '(?!core/|cli/|simulator/)[^/]+'
const anyMember = '^(packages|apps|examples)/'
const tests = '(\\.(test|test-d)\\.tsx?$|/(test|bench)/)'

module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'core-imports-no-package',
      severity: 'error',
      from: { path: '^packages/core/', pathNot: tests },
      to: { path: anyMember, pathNot: '^packages/core/' },
    },
    {
      name: 'layers-import-only-core',
      severity: 'error',
      from: { path: `^packages/(${layer})/`, pathNot: tests },
      to: { path: anyMember, pathNot: ['^packages/$1/', '^packages/core/'] },
    },
    {
      name: 'tests-of-core-and-layers-add-only-the-simulator',
      severity: 'error',
      from: { path: `^packages/(core|${layer})(?=/).*${tests}` },
      to: { path: anyMember, pathNot: ['^packages/$1/', '^packages/core/', '^packages/simulator/'] },
    },
    {
      name: 'simulator-imports-no-package',
      severity: 'error',
      from: { path: '^packages/simulator/' },
      to: { path: anyMember, pathNot: '^packages/simulator/' },
    },
    {
      name: 'nothing-imports-an-app-or-example',
      severity: 'error',
      from: { path: '^([^/]+/[^/]+)/' },
      to: { path: '^(apps|examples)/', pathNot: '^$1/' },
    },
    {
      name: 'only-through-exports',
      comment: 'A relative path must not leave the package it starts in.',
      severity: 'error',
      from: { path: '^((?:packages|apps|examples)/[^/]+)/', pathNot: '\\.config\\.ts$' },
      to: { dependencyTypes: ['local'], pathNot: '^$1/' },
    },
    {
      name: 'no-unresolvable-import',
      comment: 'Also what an import below the `exports` of a package ends as.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'core-root-runs-everywhere',
      comment: 'Files and processes live behind @nacre/core/node.',
      severity: 'error',
      from: { path: '^packages/core/src/index\\.ts$' },
      to: { path: `^(node:|(${builtinModules.join('|')})$)`, reachable: true },
    },
    {
      name: 'shipped-code-needs-no-dev-dependency',
      comment: 'The program ships as a bundle of all that it imports; its own test looks for imports that are left.',
      severity: 'error',
      from: { path: '^packages/[^/]+/src/', pathNot: [tests, '^packages/cli/'] },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['npm', 'npm-peer'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(dist|\\.cache|\\.turbo)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    combinedDependencies: false,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['@nacre/source', 'types', 'import', 'node', 'default'],
      mainFields: ['module', 'main', 'types'],
    },
  },
}
