/** Languages on the JVM and .NET. Their XML is not read: a value may come from a parent, a property or a target. */
import { type ManifestRule, program, unread } from "../manifest-form.ts";

export const managed: readonly ManifestRule[] = [
  { ecosystem: "maven", names: ["pom.xml"], read: unread("XML") },
  { ecosystem: "gradle", names: ["build.gradle", "settings.gradle"], read: program("Groovy") },
  { ecosystem: "gradle", names: ["build.gradle.kts", "settings.gradle.kts"], read: program("Kotlin") },
  { ecosystem: "sbt", names: ["build.sbt"], read: program("Scala") },
  { ecosystem: "mill", names: ["build.mill", "build.sc"], read: program("Scala") },
  { ecosystem: "clojure", names: ["project.clj", "build.boot"], read: program("Clojure") },
  { ecosystem: "clojure", names: ["deps.edn", "bb.edn", "shadow-cljs.edn"], read: unread("EDN") },
  { ecosystem: "ant", names: ["build.xml"], read: unread("XML") },
  {
    ecosystem: "dotnet",
    names: ["Directory.Build.props", "Directory.Packages.props", "packages.config"],
    pattern: /\.(?:cs|fs|vb)proj$|\.slnx$/,
    read: unread("XML"),
  },
  { ecosystem: "dotnet", pattern: /\.sln$/, read: unread("a Visual Studio solution") },
];
