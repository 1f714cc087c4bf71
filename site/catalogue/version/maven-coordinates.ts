/** The group of all versions in the Maven repository. Source: api-v2 §12. */
export const mavenGroup = 'maven.modrinth';

/** `group:artifact:version`; the version is its number, or its id where another one had that number before. */
export const mavenCoordinates = (project_id: string, version: string): string =>
  `${mavenGroup}:${project_id}:${version}`;

/** What a Gradle build file needs to use a version, in Kotlin's syntax, which recent Groovy files read too. */
export const gradleSnippet = (site_url: string, coordinates: string): string =>
  `repositories {
    maven { url = uri("${site_url}/maven") }
}
dependencies {
    implementation("${coordinates.replace(/[\\"$]/g, '\\$&')}")
}
`;
